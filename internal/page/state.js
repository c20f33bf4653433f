// The state of the page is in the URL's hash: what is chosen and not the default.
const $ = (id) => document.getElementById(id);
const all = (selector, under = document) => Array.from(under.querySelectorAll(selector));

// mostUnpacked is how many bytes of JSON a page may have; another page may be made to
// have no end.
const mostUnpacked = 1 << 26;

// unpacked reads JSON that a page has by gzip and in base64url.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim().replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > mostUnpacked) {
      reader.cancel();
      throw new Error("it is too large");
    }
    parts.push(part.value);
  }
  return JSON.parse(await new Blob(parts).text());
}

const island = await unpacked($("island").textContent);
const defaults = { data: "", op: "", metric: "time", base: "", scale: "log", text: "", mode: "", traits: "", sort: "", hide: "", beside: "" };
let state = { ...defaults };

function readHash() {
  state = { ...defaults };
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (Object.hasOwn(defaults, key)) state[key] = value;
  }
}

function writeHash() {
  const out = new URLSearchParams();
  for (const key of Object.keys(defaults)) {
    if (state[key] !== defaults[key]) out.set(key, state[key]);
  }
  const text = out.toString();
  if (location.hash.slice(1) !== text) history.replaceState(null, "", text ? "#" + text : "#");
}

// set changes the state and shows it.
function set(change) {
  Object.assign(state, change);
  writeHash();
  show();
}

function toast(text) {
  const t = $("toast");
  t.textContent = text;
  t.classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => t.classList.remove("on"), Math.max(2500, 60 * text.length)); // time to read it
}

// el makes an element with attributes and children; text is only ever text.
function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

function svg(name, attributes) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}

// digits writes a number as package report does: three significant digits, or all before
// the point. It is used for what the reader enters or drops; all else comes as text.
function digits(v) {
  if (v === 0 || !Number.isFinite(v)) return String(v);
  const exponent = Math.floor(Math.log10(Math.abs(Number(v.toExponential(2)))) + 1e-9);
  return v.toFixed(Math.max(0, 2 - exponent));
}

function scaled(v, units, step = 1000) {
  let i = 0;
  while (v !== 0 && i < units.length - 1 && Math.abs(Number(v.toPrecision(3))) >= step) {
    v /= step;
    i++;
  }
  return digits(v) + " " + units[i];
}

// bytes and count write whole numbers as such, as package report does: they are exact.
function bytes(v) {
  return v < 1000 && Number.isInteger(v) ? v + " B" : scaled(v, ["B", "kB", "MB", "GB", "TB"]);
}

function count(v) {
  const whole = Math.round(v);
  return Math.abs(v - whole) < 0.01 && (whole > 0 || v === 0) ? String(whole) : v.toFixed(2);
}

function money(v) {
  const text = Math.abs(v) < 99.995 ? Math.abs(v).toFixed(2) : Math.round(Math.abs(v)).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  return (v < 0 && text !== "0.00" ? "−$" : "$") + text;
}

// interval reads a text such as "14.7× (14.5…14.9)" back.
function interval(text) {
  const numbers = (text || "").replace(/[<>]/g, "").match(/\d+(\.\d+)?/g);
  if (!numbers) return null;
  const [v, lo, hi] = numbers.map(Number);
  return { v, lo: lo ?? v, hi: hi ?? v, text };
}

// quantity reads a number of a row: "14.7× (14.5…14.9)", [61, "61 B"], or value, bounds
// and text.
function quantity(q) {
  if (!q) return null;
  if (typeof q === "string") return interval(q);
  return q.length === 2 ? { v: q[0], lo: q[0], hi: q[0], text: q[1] } : { v: q[0], lo: q[1], hi: q[2], text: q[3] };
}
