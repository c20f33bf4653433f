// The ranking: which view is shown, by which metric, against which baseline, and which
// rows of it.
const metrics = { time: "time", cpu: "time with GC on", size: "size", allocs: "allocations" };
const views = new Map(island.views.map((v) => [v.id, v]));
const others = [...(island.beside ?? [])];

const nameOf = (s) => island.subjects[s].contender + (island.subjects[s].mode ? " (" + island.subjects[s].mode + ")" : "");
const subjectKey = (page, s) => page.subjects[s].contender + "|" + page.subjects[s].mode;

function currentView() {
  const of = all(".view").filter((v) => v.dataset.data === state.data);
  return of.find((v) => v.dataset.op === state.op) ?? of[0];
}

function fill(select, options, value) {
  select.replaceChildren(...options.map(([v, text]) => el("option", { value: v }, text)));
  select.value = options.some(([v]) => v === value) ? value : options[0]?.[0] ?? "";
}

// show brings the page to the state.
function show() {
  const datas = all("#c-data option").map((o) => o.value);
  if (!datas.includes(state.data)) state.data = datas[0] ?? "";
  for (const e of all(".data")) e.classList.toggle("off", e.dataset.data !== state.data);
  const view = currentView();
  for (const e of all(".view")) e.classList.toggle("off", e !== view);
  controls(view);
  const metric = state.metric === "cpu" ? "cpu" : "time";
  const pictures = all(".picture").filter((p) => p.dataset.data === state.data);
  const chosen = pictures.find((p) => p.dataset.metric === metric) ?? pictures[0];
  for (const p of pictures) p.classList.toggle("off", p !== chosen);
  if (view) drawRows(view);
  if (chosen) titles(chosen);
  filter(view);
  if (view) nameRegion(view.querySelector("table"));
}

// titles adds the numbers to the names that show when a point is pointed at.
function titles(picture) {
  const view = all(".view").find((e) => e.dataset.data === state.data);
  const rows = new Map((views.get(view?.dataset.view)?.rows ?? []).map((r) => [String(r.s), r]));
  for (const p of all(".point", picture)) {
    const row = rows.get(p.dataset.s), speed = quantity(row?.[picture.dataset.metric]);
    if (speed) p.querySelector("title").textContent = nameOf(Number(p.dataset.s)) + ": " + speed.text + " as fast as " + view.dataset.reference + (row.size ? ", " + quantity(row.size).text : "");
  }
}

function controls(view) {
  $("c-data").value = state.data;
  const ops = all(".view").filter((v) => v.dataset.data === state.data).map((v) => v.dataset.op);
  fill($("c-op"), ops.map((o) => [o, o]), view?.dataset.op);
  const v = views.get(view?.dataset.view);
  const has = Object.keys(metrics).filter((m) => v?.rows.some((r) => r[m]));
  fill($("c-metric"), has.map((m) => [m, metrics[m]]), state.metric);
  const bases = (v?.base ?? []).map((_, i) => [String(v.rows[i].s), nameOf(v.rows[i].s)]);
  fill($("c-base"), [["", view?.dataset.reference ?? ""], ...bases.filter(([, name]) => name !== view?.dataset.reference)], state.base);
  fill($("c-beside"), [["", others.length ? "nothing" : "drop a file on the page"], ...others.map((o, i) => [String(i), o.title + " " + o.run])], state.beside);
  $("c-scale").value = state.scale;
  $("c-text").value = state.text;
  if ($("c-mode")) $("c-mode").value = state.mode;
  for (const chip of all(".chip")) {
    const want = wanted().get(chip.dataset.trait);
    chip.setAttribute("aria-pressed", want === undefined ? "false" : want ? "true" : "mixed");
    chip.setAttribute("aria-label", chip.dataset.trait + (want === undefined ? "" : want ? ": required" : ": excluded"));
  }
}

// wanted are the traits that are required (true) or excluded (false).
function wanted() {
  const out = new Map();
  for (const t of state.traits.split(",").filter(Boolean)) out.set(t.replace(/^-/, ""), !t.startsWith("-"));
  return out;
}

// values returns what the dots show: by subject, of this page or of another.
function values(view, v) {
  const out = new Map();
  const metric = $("c-metric").value || "time";
  const at = v.rows.findIndex((r) => String(r.s) === state.base);
  const base = metric === "time" && v.base?.[at] ? at : -1; // only times have other baselines
  v.rows.forEach((r, i) => {
    const q = base >= 0 ? interval(v.base[base][i]) : quantity(r[metric]);
    if (q) out.set(r.s, q);
  });
  return { out, metric, base };
}

function scaleFor(list) {
  const finite = list.filter((v) => Number.isFinite(v) && v > 0);
  let lo = Math.min(...finite), hi = Math.max(...finite);
  if (!finite.length) return () => 0;
  if (state.scale === "linear") return (v) => Math.min(100, Math.max(0, (100 * v) / (hi * 1.04)));
  lo = Math.log(lo);
  hi = Math.log(hi);
  const room = Math.max(0.04 * (hi - lo), 0.1);
  return (v) => (v > 0 ? Math.min(100, Math.max(0, (100 * (Math.log(v) - lo + room)) / (hi - lo + 2 * room))) : 0);
}

// besideOf returns what another run has of a view: its rows by subject, and what they are relative to.
function besideOf(v) {
  const other = others[Number(state.beside)];
  if (state.beside === "" || !other) return null;
  const view = other.views.find((x) => x.key === v.key);
  const rows = new Map((view?.rows ?? []).map((r) => [subjectKey(other, r.s), r]));
  return { rows, reference: view?.reference, machine: other.machine, title: other.title + " " + other.run };
}

// drawRows draws the dots of a view, its speeds against the baseline and those of another
// run. Numbers of another run that are relative to something else are written and not drawn.
function drawRows(view) {
  const v = views.get(view.dataset.view);
  if (!v) return;
  const { out, metric, base } = values(view, v);
  const beside = besideOf(v);
  const relative = metric === "time" || metric === "cpu";
  const counts = !relative && !v.key.startsWith("all|"); // means of sizes are relative too
  const against = base >= 0 ? nameOf(v.rows[base].s) : v.reference;
  const alike = counts || Boolean(beside?.reference && beside.reference === against);
  const comparable = alike && base < 0; // another baseline has intervals of another confidence
  const theirs = new Map(), drawn = new Map();
  for (const s of out.keys()) {
    const q = quantity(beside?.rows.get(subjectKey(island, s))?.[metric]);
    if (!q) continue;
    theirs.set(s, q);
    if (alike) drawn.set(s, q);
  }
  const numbers = [...out.values(), ...drawn.values()].flatMap((q) => [q.v, Math.max(q.lo, q.v / 10), Math.min(q.hi, q.v * 10)]);
  if (relative) numbers.push(1);
  const x = scaleFor(numbers);
  const reference = base >= 0 ? nameOf(v.rows[base].s) : view.dataset.reference;
  for (const ref of all(".ref", view)) ref.textContent = reference;
  for (const how of all(".how", view)) how.textContent = base >= 0 ? "the intervals that decide" : "95% intervals";
  const still = all("thead th[data-relative]", view).map((th) => th.dataset.relative).join(", ");
  for (const kept of all(".kept", view)) kept.textContent = base >= 0 && still ? " Still against " + view.dataset.reference + ": " + still + "." : "";
  axis(view, x, numbers, relative, metric, out);
  all(".beside").forEach((e) => e.remove());
  const head = view.querySelector("thead tr");
  if (beside) head.append(el("th", { scope: "col", class: "beside" }, others[Number(state.beside)].title + ": " + metrics[metric]));
  for (const row of all("tbody tr", view)) {
    const s = Number(row.dataset.s);
    const q = out.get(s);
    const cell = row.querySelector("td.dots");
    cell.querySelector("svg")?.remove();
    if (q) cell.append(dots(q, drawn.get(s), x, relative));
    const speed = row.querySelector("td.dots + td");
    speed.dataset.own ??= speed.textContent;
    const text = base >= 0 ? q?.text ?? "—" : speed.dataset.own;
    if (speed.textContent !== text) speed.textContent = text;
    if (beside) row.append(el("td", { class: "beside" }, besideText(q, theirs.get(s), comparable, relative)));
  }
  const note = $("compare-note");
  note.hidden = !beside;
  if (beside) note.textContent = [(drawn.size ? "Hollow: " : "") + beside.title + ".", ...besideNote(beside, against, counts, alike)].join(" ");
}

// besideNote says what the numbers of another run are. against is what those of this run are relative to,
// unless both are counts. alike says that both are relative to the same.
function besideNote(beside, against, counts, alike) {
  if (!beside.rows.size) return ["It has nothing of this ranking."];
  const elsewhere = beside.machine && island.machine && beside.machine !== island.machine ? "It is of another machine (" + beside.machine + ")" : "";
  if (counts) return elsewhere ? [elsewhere + "."] : [];
  const machine = elsewhere ? [elsewhere + ", between which ratios differ."] : [];
  if (alike) return ["Both against " + against + " of their own run; assay compare gives the interval of the change.", ...machine];
  return ["There, numbers are relative to " + (beside.reference || "what it does not say") + ", and here to " + (against || "nothing") + ": they cannot be compared.", ...machine];
}

// besideText is the number of another run. Intervals are compared where both runs have both bounds:
// counts have none, nor has a single sample.
function besideText(q, other, comparable, relative) {
  if (!other) return "—";
  if (!q || !comparable || /[<>]/.test(q.text + other.text)) return other.text;
  if (!relative) return other.text + (Math.abs(q.v - other.v) <= 1e-4 * other.v ? ", the same" : "");
  if (!(q.lo < q.hi && other.lo < other.hi)) return other.text;
  const apart = q.lo > other.hi || q.hi < other.lo;
  return other.text + (apart ? ", apart" : ", overlaps");
}

function dots(q, other, x, relative) {
  const s = svg("svg", {});
  if (relative) s.append(svg("line", { class: "one", x1: x(1) + "%", x2: x(1) + "%", y1: 0, y2: 18 }));
  if (other) {
    s.append(svg("line", { class: "other-whisker", x1: x(other.lo) + "%", x2: x(other.hi) + "%" }));
    s.append(svg("circle", { class: "other", cx: x(other.v) + "%" }));
  }
  s.append(svg("line", { x1: x(q.lo) + "%", x2: x(q.hi) + "%" }));
  s.append(svg("circle", { cx: x(q.v) + "%" }));
  return s;
}

// axis writes round numbers below which the dots stand.
function axis(view, x, numbers, relative, metric, out) {
  const place = view.querySelector(".axis svg");
  const finite = numbers.filter((v) => Number.isFinite(v) && v > 0);
  const marks = [];
  const lo = Math.min(...finite), hi = Math.max(...finite);
  for (let e = Math.floor(Math.log10(lo)); e <= Math.log10(hi); e++) {
    for (const d of hi / lo > 60 ? [1, 3] : hi / lo > 8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8]) {
      const v = d * 10 ** e;
      if (v >= lo * 0.9 && v <= hi * 1.1) marks.push(v);
    }
  }
  const gap = 3600 / (place.getBoundingClientRect().width || 300); // a tick is as wide as 36 pixels
  let last = -99;
  const unit = metric === "size" && [...out.values()].some((q) => / [kMG]?B$/.test(q.text));
  place.replaceChildren(...marks.filter((v) => {
    if (x(v) - last < gap) return false;
    last = x(v);
    return true;
  }).map((v) => {
    const t = svg("text", { x: x(v) + "%" });
    t.textContent = unit ? scaled(v, ["B", "kB", "MB", "GB"]).replace(/\.0+ /, " ") : Number(v.toPrecision(3)) + (relative || metric === "size" ? "×" : "");
    return t;
  }));
}

// filter hides the rows and points that are not wanted.
function filter(view) {
  const hidden = new Set(state.hide.split(",").filter(Boolean).map(Number));
  const want = wanted();
  let match = () => true;
  try {
    const r = new RegExp(state.text, "i");
    match = (s) => r.test(nameOf(s));
    $("c-text").removeAttribute("aria-invalid");
  } catch {
    $("c-text").setAttribute("aria-invalid", "true");
  }
  const gone = (s) => {
    const of = island.subjects[s].traits;
    return hidden.has(s) || !match(s) || [...want].some(([t, yes]) => of.includes(t) !== yes) ||
      (state.mode && (island.subjects[s].mode || "default") !== state.mode);
  };
  for (const e of all("tr[data-s], .point")) e.classList.toggle("filtered", gone(Number(e.dataset.s)));
  const rows = view ? all("tbody tr", view) : [];
  const left = rows.filter((r) => !r.classList.contains("filtered")).length;
  $("shown").textContent = (left === rows.length ? "" : left + " of ") + rows.length + (rows.length === 1 ? " row" : " rows");
  sortRows(view);
}

function sortRows(view) {
  if (!view) return;
  const [key, way] = state.sort.split(".");
  const body = view.querySelector("tbody");
  const rows = all("tr", body);
  rows.forEach((r, i) => (r.dataset.order ??= String(i)));
  const column = all("thead th", view).findIndex((th) => th.dataset.sort === key);
  for (const th of all("thead th[data-sort]", view)) {
    th.setAttribute("aria-sort", th.dataset.sort === key ? (way === "down" ? "descending" : "ascending") : "none");
  }
  const numbers = new Map(views.get(view.dataset.view).rows.map((r) => [String(r.s), r]));
  const of = (r) => {
    if (column < 0) return Number(r.dataset.order);
    const cell = r.children[column];
    if (key === "text") return cell.textContent.toLowerCase();
    if (key === "time" && state.base) return interval(cell.textContent)?.v;
    const row = numbers.get(r.dataset.s);
    return key === "abs" ? row?.abs : quantity(row?.[key])?.v;
  };
  rows.sort((a, b) => {
    const x = of(a), y = of(b);
    if (x === undefined || y === undefined) return (x === undefined) - (y === undefined) || a.dataset.order - b.dataset.order;
    const order = x < y ? -1 : x > y ? 1 : a.dataset.order - b.dataset.order;
    return way === "down" && column >= 0 ? -order : order;
  });
  body.append(...rows);
  bands(view, rows, column < 0);
}

// bands gives the shown rows of one rank one band; a row without a rank has a band of its own. Sorted by
// something else than the rank, rows of one rank are apart: then there are no bands, and the caption
// does not name them.
function bands(view, rows, ranked) {
  let band = 0, last = "";
  for (const r of rows) {
    if (r.classList.contains("filtered")) continue;
    const rank = r.cells[0].textContent;
    if (rank !== last || rank === "") [band, last] = [1 - band, rank];
    r.classList.toggle("b1", ranked && band === 1);
    r.classList.toggle("b0", !ranked || band === 0);
  }
  for (const text of all(".bands", view)) text.hidden = !ranked;
}
