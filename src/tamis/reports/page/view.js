// Browsing: what is chosen stands in the address, so that the browser's own back, reload and bookmarks work.
"use strict";

(() => {
  const by = (id) => document.getElementById(id);
  const form = by("filter");
  const SCORES = { all: "any", wrong: "below 0.50", right: "0.50 and more", missing: "not measured", better: "higher than beside", worse: "lower than beside" };
  const ORDERS = { worst: "lowest score", difference: "largest loss beside", session: "session" };
  let runs = [];
  let asked = 0; // counts requests, so that a late reply to an old one is dropped

  async function get(path, parameters) {
    const reply = await fetch(`/api/${path}?${new URLSearchParams(parameters)}`);
    const found = await reply.json();
    if (!reply.ok) throw new Error(found.error);
    return found;
  }

  // --- what is chosen ------------------------------------------------------------------------------

  const state = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

  function go(changes, { replace = false } = {}) {
    const next = { ...state(), ...changes };
    for (const key of Object.keys(next)) if (next[key] === "" || next[key] === null) delete next[key];
    const address = `#${new URLSearchParams(next)}`;
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    show();
  }

  // An arm as it stands in the address: run, method, budget, cycle, reader.
  function armOf(text) {
    if (!text) return null;
    const [run, method, budget, cycle, reader] = JSON.parse(text);
    return { run, method, budget, cycle, reader };
  }

  const armText = (arm) => JSON.stringify([arm.run, arm.method, arm.budget, arm.cycle, arm.reader]);

  function firstArm() {
    const run = runs[0];
    const start = run.start ?? { method: run.methods[0], budget: run.budgets[0].name };
    return { run: 0, method: start.method, budget: start.budget, cycle: 1, reader: run.readers[0] ?? "" };
  }

  // --- the form ------------------------------------------------------------------------------------

  function choice(name, label, options, value, change) {
    const select = el("select", { name }, ...options.map(([key, text]) => el("option", { value: key, selected: key === value }, text)));
    select.addEventListener("change", () => change(select.value));
    return el("label", {}, `${label} `, select);
  }

  function fillArm(id, arm, change, optional) {
    const set = by(id);
    const kept = document.activeElement?.closest(`#${id}`) ? document.activeElement.name : null;
    set.replaceChildren(set.firstElementChild);
    const run = runs[arm ? arm.run : 0];
    const update = (part) => change({ ...(arm ?? firstArm()), ...part });
    const methods = run.methods.map((name) => [name, name]);
    const prefix = id.at(-1);
    if (runs.length > 1) {
      const names = runs.map((r, i) => [String(i), r.name]);
      set.append(choice(`${prefix}-run`, "Run", optional ? [["", "no other"], ...names] : names, arm ? String(arm.run) : "", (value) => {
        if (value === "") return change(null);
        const next = runs[Number(value)];
        const from = arm ?? armOf(state().a) ?? firstArm();
        return change({
          run: Number(value),
          method: next.methods.includes(from.method) ? from.method : next.methods[0],
          budget: next.budgets.some((b) => b.name === from.budget) ? from.budget : next.budgets[0].name,
          cycle: Math.min(from.cycle, next.cycles),
          reader: next.readers.includes(from.reader) ? from.reader : next.readers[0] ?? "",
        });
      }));
      if (!arm) return;
    }
    const some = optional && runs.length === 1 ? [["", "no other"], ...methods] : methods;
    set.append(choice(`${prefix}-method`, "Method", some, arm ? arm.method : "", (method) => {
      if (method === "") return change(null);
      return change({ ...(arm ?? armOf(state().a) ?? firstArm()), method });
    }));
    if (arm) {
      set.append(choice(`${prefix}-budget`, "Budget", run.budgets.map((b) => [b.name, b.label]), arm.budget, (budget) => update({ budget })));
      if (run.cycles > 1) {
        const cycles = Array.from({ length: run.cycles }, (_, i) => [String(i + 1), String(i + 1)]);
        set.append(choice(`${prefix}-cycle`, "Cycle", cycles, String(arm.cycle), (cycle) => update({ cycle: Number(cycle) })));
      }
      if (run.readers.length > 1 && tab() === "answers") {
        set.append(choice(`${prefix}-reader`, "Reader", run.readers.map((r) => [r, r]), arm.reader, (reader) => update({ reader })));
      }
    }
    if (kept) form.elements[kept]?.focus();
  }

  function fillForm(a, b) {
    fillArm("arm-a", a, (arm) => go({ a: armText(arm), page: "", open: "" }), false);
    fillArm("arm-b", b, (arm) => go({ b: arm ? armText(arm) : "", page: "", open: "", ...(arm ? {} : { score: "", order: "" }) }), true);
    const now = state();
    const fill = (name, options) => {
      const select = form.elements[name];
      select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
      select.value = now[name] ?? options[0][0];
      select.closest("label").hidden = options.length < 2;
    };
    const run = runs[a.run];
    fill("set_name", [["", "all"], ...(run.sets.length > 1 ? run.sets.map((s) => [s, s]) : [])]);
    fill("kind", [["", "all"], ...(tab() === "answers" ? run.kinds.map((k) => [k, k]) : [])]);
    const comparing = (key) => b || !["better", "worse", "difference"].includes(key);
    fill("score", Object.entries(SCORES).filter(([key]) => comparing(key)));
    fill("order", Object.entries(ORDERS).filter(([key]) => comparing(key)));
    if (document.activeElement !== form.elements.search) form.elements.search.value = now.search ?? "";
  }

  // --- the list ------------------------------------------------------------------------------------

  const tab = () => state().tab ?? (runs[0].answers ? "answers" : "contexts");

  function query(a, b) {
    const now = state();
    return {
      query: JSON.stringify({
        a, b, set_name: now.set_name ?? "", kind: now.kind ?? "", score: now.score ?? "all",
        search: now.search ?? "", order: now.order ?? "worst", page: Number(now.page ?? 0),
      }),
    };
  }

  function row(one, compared) {
    const scores = el("span", { class: "scores" }, score(one.score));
    if (compared) {
      scores.append(el("span", {}, ` / ${score(one.other_score)}`));
    }
    const said = tab() === "answers" ? one.question
      : one.score === null ? `not measured: ${one.reason}` : `${count(one.missing)} of ${count(one.needed)} needed names missing`;
    const where = `${tab() === "answers" ? `${one.kind} · ` : ""}${one.set_name} · ${one.session} at ${one.label}`;
    const open = JSON.stringify([one.key, one.other]);
    const link = el("a", { href: `#${new URLSearchParams({ ...state(), open })}`, "data-open": open },
      scores, el("span", { class: "said" }, said), el("span", { class: "where" }, where));
    return el("li", {}, link);
  }

  function nothing(a) {
    const now = state();
    const narrowed = now.set_name || now.kind || now.search || (now.score ?? "all") !== "all";
    return narrowed ? "Nothing fits. Widen the filter." : `Nothing fits: ${a.method} made nothing at ${a.budget}. Choose a larger budget.`;
  }

  async function list(a, b) {
    const mine = ++asked;
    const wanted = JSON.stringify([tab(), query(a, b)]);
    if (by("list").dataset.of !== wanted) {
      let found;
      try {
        found = await get(tab(), query(a, b));
      } catch (error) {
        if (mine === asked) by("count").textContent = `This cannot be listed: ${error.message}.`;
        return;
      }
      if (mine !== asked) return;
      by("list").replaceChildren(...found.rows.map((one) => row(one, b)));
      by("list").dataset.of = wanted;
      by("count").textContent = found.total === 0 ? nothing(a)
        : `${count(found.total)} ${tab()}${found.pages > 1 ? `, page ${found.page + 1} of ${count(found.pages)}` : ""}${b ? "; the first score is of what is shown, the second of what stands beside" : ""}`;
      by("page").textContent = `${found.page + 1} / ${count(found.pages)}`;
      by("pages").hidden = found.pages < 2;
      by("earlier").disabled = found.page === 0;
      by("later").disabled = found.page + 1 >= found.pages;
    }
    for (const link of by("list").querySelectorAll("a")) {
      const current = link.dataset.open === state().open;
      if (current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      link.href = `#${new URLSearchParams({ ...state(), open: link.dataset.open })}`;
    }
    await open(a, b, mine);
  }

  async function open(a, b, mine) {
    const box = by("detail");
    const wanted = state().open;
    document.body.toggleAttribute("data-open", Boolean(wanted));
    box.hidden = !wanted;
    if (!wanted) {
      box.replaceChildren();
      delete box.dataset.shown;
      return;
    }
    const id = `${tab()} ${wanted} ${b ? b.run : ""}`;
    if (box.dataset.shown === id) return;
    const [key, other] = JSON.parse(wanted);
    const sides = [[a, key], ...(b && other ? [[b, other]] : [])];
    const one = tab() === "answers" ? "answer" : "context";
    const back = el("button", { type: "button", class: "back" }, "Back to the list");
    back.addEventListener("click", () => history.length > 1 ? go({ open: "" }) : go({ open: "" }, { replace: true }));
    try {
      const found = await Promise.all(sides.map(async ([arm, of]) => ({
        run: runs.length > 1 ? runs[arm.run].name : "",
        value: await get(one, { run: arm.run, key: of }),
      })));
      if (mine !== asked) return;
      const doubts = new Map(sides.flatMap(([arm]) => runs[arm.run].judges).filter((j) => j.doubt).map((j) => [j.judge, j.doubt]));
      box.replaceChildren(back, ...detail[tab()](found, doubts));
    } catch (error) {
      if (mine !== asked) return;
      box.replaceChildren(back, el("p", { class: "error" }, `This cannot be opened: ${error.message}.`));
    }
    box.dataset.shown = id;
    if (matchMedia("(max-width: 60rem)").matches) scrollTo(0, 0);
  }

  // --- the figures ---------------------------------------------------------------------------------

  const bounds = (e) => (e && e.low !== null ? `${e.low.toFixed(2)}–${e.high.toFixed(2)}` : "–");

  function figureCell(estimate) {
    return el("td", {}, score(estimate?.mean), estimate ? el("small", {}, bounds(estimate)) : "");
  }

  function figureTable(run, rows, number) {
    const table = el("table", { class: "judged" });
    const pairs = rows.some((r) => r.reading.length) ? rows.find((r) => r.reading.length).reading : [];
    const head = ["method", "recall", "regret", "kept"];
    for (const pair of pairs) head.push(`answered by ${pair.reader}`, ...(pair.judge ? [`overall by ${pair.judge}`] : []));
    head.push("points");
    table.append(el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))));
    for (const budget of run.budgets) {
      const body = el("tbody", { class: "grouped" },
        el("tr", {}, el("th", { class: "group", scope: "rowgroup", colspan: head.length }, budget.label)));
      for (const one of rows.filter((r) => r.budget === budget.name)) {
        const arm = { ...firstArm(), run: number, method: one.method, budget: one.budget, reader: run.readers[0] ?? "" };
        const link = el("a", { href: `#${new URLSearchParams({ a: armText(arm), tab: run.answers ? "answers" : "contexts" })}` }, one.method);
        body.append(el("tr", { class: one.control ? "control" : null }, el("th", { scope: "row" }, link),
          figureCell(one.recall), figureCell(one.regret), el("td", {}, one.kept ? `${(one.kept.mean * 100).toFixed(1)} %` : "–"),
          ...pairs.flatMap((pair, i) => [figureCell(one.reading[i]?.exact), ...(pair.judge ? [figureCell(one.reading[i]?.overall)] : [])]),
          el("td", {}, count(one.recall?.points ?? 0), one.gaps ? el("small", {}, `${count(one.gaps)} missing`) : "")));
      }
      table.append(body);
    }
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Figures of ${run.name}` }, table);
  }

  async function figures() {
    const box = by("figures");
    if (box.dataset.made) return;
    box.dataset.made = "on the way";
    box.replaceChildren(el("p", { class: "quiet", role: "status" }, "The averages are being worked out …"));
    try {
      const made = [];
      for (const [number, run] of runs.entries()) {
        const rows = await get("figures", { run: number });
        made.push(el("h2", {}, run.name, " ", el("span", { class: "quiet" }, `${count(run.points)} points, ${count(run.sessions)} sessions`)),
          figureTable(run, rows, number),
          ...run.judges.map((j) => el("p", { class: j.doubt ? "verdict doubt" : "verdict" },
            `${j.doubt ? "Not to be relied on. " : ""}How far ${j.judge} can be trusted: it ${j.verdict}. ${j.evidence}.`)));
      }
      box.replaceChildren(...made);
      box.dataset.made = "yes";
    } catch (error) {
      box.replaceChildren(el("p", { class: "error" }, `The averages cannot be had: ${error.message}.`));
      delete box.dataset.made;
    }
  }

  // --- everything ----------------------------------------------------------------------------------

  async function show() {
    for (const link of by("tabs").querySelectorAll("a")) {
      const { a, b } = state();
      const next = { tab: link.dataset.tab, ...(a ? { a } : {}), ...(b ? { b } : {}) };
      link.href = `#${new URLSearchParams(next)}`;
      if (link.dataset.tab === tab()) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    by("figures").hidden = tab() !== "figures";
    by("browse").hidden = tab() === "figures";
    if (tab() === "figures") {
      document.body.removeAttribute("data-open");
      return figures();
    }
    const a = armOf(state().a) ?? firstArm();
    const b = armOf(state().b);
    document.body.classList.toggle("pairs", Boolean(b));
    fillForm(a, b);
    return list(a, b);
  }

  function step(by_) {
    const links = [...by("list").querySelectorAll("a")];
    if (!links.length) return;
    const at = links.findIndex((link) => link.dataset.open === state().open);
    const next = links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + by_))];
    next.focus();
    go({ open: next.dataset.open }, { replace: at >= 0 });
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || by("browse").hidden) return;
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "Escape" && state().open) {
      const current = by("list").querySelector("[aria-current]");
      go({ open: "" });
      (current ?? by("list")).focus();
    } else if (event.key === "/" && !typing) {
      event.preventDefault();
      form.elements.search.focus();
    } else if (event.key === "j" && !typing) step(1);
    else if (event.key === "k" && !typing) step(-1);
  }

  async function start() {
    try {
      runs = await get("runs", {});
    } catch (error) {
      by("about").textContent = `The runs cannot be read: ${error.message}.`;
      return;
    }
    by("about").textContent = runs.map((r) => `${r.name}: ${count(r.points)} points, ${count(r.answers)} answers`).join(" · ");
    document.title = `tamis view: ${runs.map((r) => r.name).join(", ")}`;
    let waiting;
    form.elements.search.addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => go({ search: event.target.value, page: "", open: "" }, { replace: true }), 200);
    });
    for (const name of ["set_name", "kind", "score", "order"]) {
      form.elements[name].addEventListener("change", (event) => go({ [name]: event.target.value, page: "", open: "" }));
    }
    form.addEventListener("submit", (event) => event.preventDefault());
    by("earlier").addEventListener("click", () => go({ page: String(Number(state().page ?? 0) - 1), open: "" }));
    by("later").addEventListener("click", () => go({ page: String(Number(state().page ?? 0) + 1), open: "" }));
    document.addEventListener("keydown", onKey);
    addEventListener("popstate", show);
    const beside = runs[0].start?.beside;
    if (!location.hash.slice(1) && beside) go({ b: armText({ ...firstArm(), method: beside }) }, { replace: true });
    else show();
  }

  start();
})();
