// What is added to the page where scripts run: controls, buttons, the calculator, the
// samples, and files that are dropped.
function copyTools() {
  for (const table of all("table")) {
    const box = table.closest(".scroll");
    for (const [key, value] of Object.entries({ role: "region", tabindex: 0 })) box.setAttribute(key, value);
    nameRegion(table);
    const bar = el("div", { class: "tools" },
      el("button", { type: "button", onclick: () => copy(markdown(table), "Markdown") }, "Copy as Markdown"),
      el("button", { type: "button", onclick: () => copy(csv(table), "CSV") }, "CSV"));
    if (table.dataset.command) {
      bar.append(el("button", { type: "button", title: table.dataset.command, onclick: () => copy(table.dataset.command, "the command") }, "command"));
    }
    box.before(bar);
  }
}

// nameRegion names the region of a table by its caption as it is shown.
function nameRegion(table) {
  table.closest(".scroll").setAttribute("aria-label", textOf(table.caption));
}

// textOf returns the shown text of an element without the marks of remarks, and markedText with them.
const textOf = (e) => shownText(e, () => "");
const markedText = (e) => shownText(e, superscript);

function shownText(e, mark) {
  const copyOf = e.cloneNode(true);
  for (const part of all("svg, .hide, .visually-hidden, [hidden]", copyOf)) part.remove();
  for (const sup of all("sup", copyOf)) sup.replaceWith(mark(sup.textContent));
  return copyOf.textContent.replace(/\s+/g, " ").trim();
}

const superscript = (text) => text.trim().replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);

function cells(table, text) {
  const rows = all("tr", table).filter((r) => !r.classList.contains("filtered"));
  const keep = rows.length ? Array.from(rows[0].children).map((c) => !c.classList.contains("dots")) : [];
  return rows.map((r) => Array.from(r.children).filter((_, i) => keep[i] !== false).map(text));
}

// below returns the remarks below a table. Those that marks refer to begin with the mark.
function below(table) {
  const out = [];
  for (let list = table.closest(".scroll").nextElementSibling; list?.classList.contains("below"); list = list.nextElementSibling) {
    all("li", list).forEach((li, i) => out.push((list.tagName === "OL" ? superscript(String(i + 1)) + " " : "") + textOf(li)));
  }
  return out;
}

function markdown(table) {
  const rows = cells(table, markedText);
  const escape = (t) => t.replace(/([\\|*_`[<~&])/g, "\\$1");
  const line = (r) => "| " + r.map(escape).join(" | ") + " |";
  const head = rows.shift() ?? [];
  return "**" + escape(textOf(table.caption)) + "**\n\n" + [line(head), "|" + head.map(() => "---").join("|") + "|", ...rows.map(line)].join("\n") + "\n" +
    below(table).map((text, i) => (i ? "" : "\n") + "- " + escape(text) + "\n").join("");
}

// A cell that begins like a formula gets an apostrophe, so that no spreadsheet runs it.
function csv(table) {
  const cell = (t) => {
    if (/^[=+@\t\r-]/.test(t)) t = "'" + t;
    return /[",\n]/.test(t) ? '"' + t.replace(/"/g, '""') + '"' : t;
  };
  return cells(table, textOf).map((r) => r.map(cell).join(",")).join("\n") + "\n";
}

async function copy(text, what) {
  window.copied = text;
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied " + what);
  } catch {
    const area = el("textarea", { readonly: "" });
    area.value = text;
    document.body.append(area);
    area.select();
    const ok = document.execCommand("copy");
    area.remove();
    toast(ok ? "Copied " + what : "The browser does not let this page copy");
  }
}

function sortButtons() {
  for (const th of all("th[data-sort]")) {
    const title = th.textContent;
    const first = th.dataset.sort === "text" || th.dataset.sort === "abs" || th.dataset.sort === "size" || th.dataset.sort === "allocs" ? "up" : "down";
    const turn = { [first]: first === "up" ? "down" : "up" };
    th.replaceChildren(el("button", {
      type: "button", onclick: () => {
        const [key, way] = state.sort.split(".");
        if (key !== th.dataset.sort) set({ sort: th.dataset.sort + "." + first });
        else if (turn[way]) set({ sort: key + "." + turn[way] });
        else set({ sort: "" });
      },
    }, title));
  }
}

function hideButtons() {
  for (const row of all(".view tbody tr")) {
    const s = Number(row.dataset.s);
    row.querySelector("th").append(el("button", {
      type: "button", class: "hide", title: "hide this row", "aria-label": "hide " + nameOf(s),
      onclick: () => set({ hide: [...new Set([...state.hide.split(",").filter(Boolean), String(s)])].join(",") }),
    }, "✕"));
    row.addEventListener("pointerenter", () => light(s, true));
    row.addEventListener("pointerleave", () => light(s, false));
  }
  for (const p of all(".point")) {
    p.addEventListener("click", () => {
      const row = all(".view:not(.off) tbody tr").find((r) => r.dataset.s === p.dataset.s);
      row?.scrollIntoView({ block: "center" });
      light(Number(p.dataset.s), true);
    });
  }
}

function light(s, on) {
  for (const p of all(".point")) p.classList.toggle("lit", on && Number(p.dataset.s) === s);
}

function wire() {
  const on = (id, event, f) => $(id)?.addEventListener(event, f);
  on("c-data", "change", (e) => set({ data: e.target.value, base: "" }));
  on("c-op", "change", (e) => set({ op: e.target.value, base: "" }));
  on("c-metric", "change", (e) => set({ metric: e.target.value }));
  on("c-base", "change", (e) => set({ base: e.target.value }));
  on("c-scale", "change", (e) => set({ scale: e.target.value }));
  on("c-beside", "change", (e) => set({ beside: e.target.value }));
  on("c-text", "input", (e) => set({ text: e.target.value }));
  on("c-mode", "change", (e) => set({ mode: e.target.value }));
  on("c-reset", "click", () => set({ text: "", mode: "", traits: "", hide: "" }));
  for (const chip of all(".chip")) {
    chip.addEventListener("click", () => {
      const want = wanted();
      const t = chip.dataset.trait;
      if (!want.has(t)) want.set(t, true);
      else if (want.get(t)) want.set(t, false);
      else want.delete(t);
      set({ traits: [...want].map(([k, yes]) => (yes ? k : "-" + k)).join(",") });
    });
  }
  for (const form of all("form.controls")) form.addEventListener("submit", (e) => e.preventDefault());
  addEventListener("hashchange", () => {
    if (location.hash.includes("=") || location.hash === "" || location.hash === "#") {
      readHash();
      show();
    }
  });
}

// calculators compute what each takes in machines: sums and products of what was measured
// and what the reader enters.
function calculators() {
  const section = $("calculator");
  if (!section || !island.prices) return;
  const p = island.prices;
  const fields = [["rate", "messages a second", p.rate], ["days", "kept for days", p.retention_days], ["core", "$ a core-hour", p.price_core_hour], ["net", "$ a GB sent", p.price_gb_network], ["store", "$ a GB-month", p.price_gb_month]];
  const inputs = Object.fromEntries(fields.map(([k, , v]) => [k, el("input", { type: "number", min: 0, step: "any", value: v, "data-calc": k })]));
  const packing = el("select", { "data-calc": "packing" }, el("option", { value: "-1" }, "as they are"), el("option", { value: "0" }, "zstd, each alone"), el("option", { value: "1" }, "zstd, in batches"));
  const data = el("select", { "data-calc": "data" }, ...island.costs.map((c) => el("option", { value: c.data }, all("#c-data option").find((o) => o.value === c.data)?.textContent ?? c.data)));
  const usable = (c) => c.rows.some((r) => r.packed[1] > 0);
  packing.value = island.costs.some(usable) && p.codec === "zstd" ? (p.batch ? "1" : "0") : "-1";
  const body = el("tbody");
  const note = el("p");
  const table = el("table", { class: "part", id: "calc-table" }, el("caption", {}, "What each takes, with your numbers"),
    el("thead", {}, el("tr", {}, ...["contender", "cores", "network", "stored", "$ a month", "saves", "bottleneck", "cheaper"].map((t, i) => el("th", { scope: "col", class: i > 0 && i < 6 ? "n" : false }, t)))), body);
  const compute = () => {
    const of = island.costs.find((c) => c.data === data.value) ?? island.costs[0];
    const n = Object.fromEntries(fields.map(([k]) => [k, Math.max(0, Number(inputs[k].value) || 0)]));
    const rows = of.rows.map((r) => cost(r, n, Number(packing.value))).filter(Boolean);
    const have = rows.find((r) => r.s === of.rows[of.have]?.s);
    rows.sort((a, b) => a.month[0] - b.month[0]);
    const gone = new Set(all("tr.filtered[data-s]").map((r) => r.dataset.s));
    body.replaceChildren(...rows.map((r) => el("tr", { "data-s": r.s, class: gone.has(String(r.s)) ? "filtered" : false },
      el("th", { scope: "row" }, nameOf(r.s)), el("td", { class: "n" }, digits(r.cores[0]) + " (" + digits(r.cores[1]) + "…" + digits(r.cores[2]) + ")"),
      el("td", { class: "n" }, scaled(r.net * 8, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"])), el("td", { class: "n" }, scaled(r.kept, ["B", "kB", "MB", "GB", "TB", "PB"])),
      el("td", { class: "n" }, money(r.month[0]) + " (" + money(r.month[1]) + "…" + money(r.month[2]) + ")"),
      el("td", { class: "n" }, !have || have === r ? "—" : money(have.month[0] - r.month[0])),
      el("td", {}, r.most), el("td", {}, have && have !== r ? breakEven(r, have, n) : "—"))));
    note.textContent = (of.CPU || of.cpu ? "Cores are of CPU time with the garbage collector on." : "Cores are of time with the garbage collector off, which is less than a service takes.") +
      (packing.value === "-1" ? "" : " What compressing takes in CPU is not counted.") + " A month has 30 days.";
  };
  section.querySelector("h2").after(el("form", { class: "calc", "aria-label": "Calculator" }, el("label", {}, "data", data), ...fields.map(([k, text]) => el("label", {}, text, inputs[k])), el("label", {}, "sent and kept", packing)),
    el("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": "Costs" }, table), note);
  section.querySelector("form").addEventListener("input", compute);
  section.querySelector("form").addEventListener("submit", (e) => e.preventDefault());
  compute();
}

function cost(r, n, packing) {
  const size = packing < 0 ? r.size : r.packed[packing];
  if (!size) return null;
  const cores = r.time.slice(0, 3).map((ns) => (ns * n.rate) / 1e9);
  const net = n.rate * size;
  const kept = net * n.days * 86400;
  const parts = { CPU: cores[0] * 720 * n.core, network: ((net * 2592000) / 1e9) * n.net, storage: (kept / 1e9) * n.store };
  const month = cores.map((c) => c * 720 * n.core + parts.network + parts.storage);
  const most = Object.entries(parts).sort((a, b) => b[1] - a[1])[0];
  return { s: r.s, cores, net, kept, month, bytes: parts.network + parts.storage, most: most[1] > 0 ? most[0] : "—" };
}

// breakEven is the price of a core-hour at which both cost the same.
function breakEven(r, have, n) {
  const cores = r.cores[0] - have.cores[0], bytes = have.bytes - r.bytes;
  if (cores === 0 || bytes / cores <= 0) return r.month[0] < have.month[0] ? "at any price" : "never";
  return (cores > 0 ? "below $" : "above $") + digits(bytes / cores / 720) + " a core-hour";
}

// samples draws every sample of a case by round.
function samples() {
  const holder = $("samples"), section = $("noise");
  if (!holder || !section) return;
  const choose = el("select", { "aria-label": "Case" });
  const plot = svg("svg", { class: "rounds", role: "img", viewBox: "0 0 860 200", preserveAspectRatio: "none", "aria-label": "Every sample by round" });
  const said = el("p");
  const open = el("details", { class: "part", id: "every-sample" }, el("summary", {}, "Every sample by round"), choose, plot, said);
  section.append(open);
  const every = Number(holder.dataset.every);
  let launches = null;
  const cases = new Map();
  const draw = () => {
    const list = cases.get(choose.value) ?? [];
    const values = list.flatMap((l) => l.ns);
    const sorted = [...values].sort((a, b) => a - b);
    const lo = sorted[0] * 0.98, hi = sorted[Math.floor(0.98 * (sorted.length - 1))] * 1.05;
    const y = (v) => 195 - 190 * Math.min(1, Math.max(0, (v - lo) / (hi - lo || 1)));
    let i = 0, path = "", edges = "";
    for (const l of list) {
      for (const ns of l.ns) path += "M" + ((860 * (i++ + 0.5)) / values.length).toFixed(1) + " " + y(ns).toFixed(1) + "h0";
      edges += "M" + ((860 * i) / values.length).toFixed(1) + " 0v200";
    }
    plot.replaceChildren(svg("path", { class: "grid", d: edges, stroke: "currentColor", "stroke-opacity": 0.15, "vector-effect": "non-scaling-stroke" }),
      svg("path", { d: path, stroke: "currentColor", "stroke-opacity": 0.7, "stroke-width": 3, "stroke-linecap": "round", "vector-effect": "non-scaling-stroke" }));
    said.textContent = values.length + " samples in " + list.length + " launches, from " + scaled(sorted[0], ["ns", "µs", "ms", "s"]) + " to " + scaled(sorted.at(-1), ["ns", "µs", "ms", "s"]) +
      " an operation. Lines separate launches; samples above the 98th percentile are at the edge." +
      (every > 1 ? " For its size this page has every launch in " + every + " only; the run has all." : "");
  };
  open.addEventListener("toggle", async () => {
    if (!open.open || launches) return;
    launches = await unpacked(holder.textContent);
    for (const l of launches) {
      for (const s of l.series) {
        const key = [l.side ?? "", l.workload, l.size, l.op, s.contender + (s.mode ? " (" + s.mode + ")" : ""), s.role ?? ""].filter(Boolean).join(" · ");
        if (!cases.has(key)) cases.set(key, []);
        cases.get(key).push(s);
      }
    }
    choose.replaceChildren(...[...cases.keys()].map((k) => el("option", { value: k }, k)));
    draw();
  });
  choose.addEventListener("change", draw);
}

// takeFile reads another report, or the JSON of a run, and offers it for comparison.
async function takeFile(file) {
  try {
    const text = await file.text();
    const page = /^\s*\{/.test(text) ? fromJSON(JSON.parse(text), file.name) : await fromPage(text);
    others.push(page);
    set({ beside: String(others.length - 1) });
    const shared = new Set(page.views.map((v) => v.key));
    toast(island.views.some((v) => shared.has(v.key)) ? "Comparing with " + file.name : file.name + " has no workload of this page");
  } catch (error) {
    toast("Cannot read " + file.name + ": " + error.message + ". Give a report of assay, or what assay export --format json wrote");
  }
}

async function fromPage(text) {
  const found = new DOMParser().parseFromString(text, "text/html").getElementById("island");
  if (!found) throw new Error("it is no report of assay");
  return checked(await unpacked(found.textContent));
}

function checked(page) {
  const fine = page && page.schema === island.schema && Array.isArray(page.subjects) && Array.isArray(page.views) &&
    page.views.every((v) => Array.isArray(v.rows) && v.rows.every((r) => page.subjects[r.s] &&
      ["time", "cpu", "size", "allocs"].every((m) => r[m] == null || typeof r[m] === "string" || (Array.isArray(r[m]) && r[m].slice(0, -1).every(Number.isFinite)))));
  if (!fine) throw new Error("it is of another version, or damaged");
  for (const v of page.views) v.reference = String(v.reference ?? "").slice(0, 80);
  page.title = String(page.title).slice(0, 80);
  page.run = String(page.run).slice(0, 80);
  page.machine = String(page.machine ?? "").slice(0, 80);
  return page;
}

// fromJSON converts what assay export --format json wrote to the form of a page. The JSON of a comparison
// has rows too, and no run.
function fromJSON(data, name) {
  if (data.schema !== island.schema || !data.run || !Array.isArray(data.rows)) throw new Error("it is not the JSON of a run, or of another version");
  const host = data.run?.host, cpus = host?.cpus > 0 ? host.cpus + (host.cpus === 1 ? " CPU" : " CPUs") : "";
  const cpu = host?.cpu || [host?.os, host?.arch].filter(Boolean).join("/");
  const machine = [cpu, cpus].filter(Boolean).join(", "); // as machineOf
  const page = { schema: data.schema, run: String(data.run?.id ?? ""), machine, title: name, subjects: [], views: [] };
  const subjects = new Map(), byKey = new Map(), references = new Map();
  for (const r of data.rows) {
    const who = r.contender + "|" + r.mode;
    if (!subjects.has(who)) {
      subjects.set(who, page.subjects.length);
      page.subjects.push({ contender: String(r.contender), mode: String(r.mode) });
    }
    const key = r.workload + "|" + r.size + "|" + r.op;
    if (!byKey.has(key)) byKey.set(key, new Map());
    if (r.reference) references.set(key, r.reference);
    const rows = byKey.get(key);
    const s = subjects.get(who);
    if (!rows.has(s)) rows.set(s, { s });
    const row = rows.get(s);
    const ratio = () => {
      const v = 1 / r.ratio, known = r.ratio_lo > 0 && r.ratio_hi > 0; // a single sample has no bounds
      const lo = known ? 1 / r.ratio_hi : v, hi = known ? 1 / r.ratio_lo : v;
      return [v, lo, hi, r.ratio === 1 ? "1×" : digits(v) + "×" + (known ? " (" + digits(lo) + "…" + digits(hi) + ")" : "")];
    };
    if (r.cpus) continue;
    if (r.metric === "time" && r.ratio > 0) row.time = ratio();
    if (r.metric === "cpu-time" && r.ratio > 0) row.cpu = ratio();
    if (r.metric === "encoded-size" && r.value !== null) row.size = [r.value, r.value, r.value, bytes(r.value)];
    if (r.metric === "allocs" && r.value !== null) row.allocs = [r.value, r.value, r.value, count(r.value)];
  }
  for (const [key, rows] of byKey) page.views.push({ id: key, key, reference: references.get(key), rows: [...rows.values()] });
  return checked(page);
}

function drops() {
  addEventListener("dragover", (e) => {
    e.preventDefault();
    document.body.classList.add("dragging");
  });
  addEventListener("dragleave", () => document.body.classList.remove("dragging"));
  addEventListener("drop", (e) => {
    e.preventDefault();
    document.body.classList.remove("dragging");
    for (const f of e.dataTransfer.files) takeFile(f);
  });
  $("c-file")?.addEventListener("change", (e) => [...e.target.files].forEach(takeFile));
}

// Paper has no way to open a part.
function printing() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const d of opened) if (d.id !== "every-sample") d.open = true;
  });
  addEventListener("afterprint", () => opened.forEach((d) => (d.open = false)));
}

printing();
copyTools();
if (views.size) {
  sortButtons();
  hideButtons();
  calculators();
  samples();
  drops();
  wire();
  for (const id of ["controls", "filters", "drop"]) $(id).hidden = false;
  readHash();
  show();
}
document.documentElement.dataset.ready = "1";
