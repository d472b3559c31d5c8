// The reader at the end of the page: unpacks one point at a time and shows its span beside a compaction.
// What comes from a session is only ever set as text.
"use strict";

(() => {
  const root = document.getElementById("explorer");
  const index = JSON.parse(document.getElementById("index").textContent);
  const points = new Map(index.points.map((point) => [point.key, point]));
  const form = root.querySelector("form");
  const { set, method, budget, point } = form.elements;
  const panes = { span: document.getElementById("span"), context: document.getElementById("context") };
  let opened = { key: null, content: null };

  // --- choosing ------------------------------------------------------------------------------------

  const recallOf = (entry) => entry.recall[`${method.value}\n${budget.value}`];

  function option(value, text) {
    const made = document.createElement("option");
    made.value = value;
    made.textContent = text;
    return made;
  }

  function describe(entry) {
    const recall = recallOf(entry);
    const score = recall === undefined ? "not measured" : recall.toFixed(2);
    return `${score} · ${entry.session} at ${entry.at} · ${entry.needed} needed`;
  }

  // List the points of the chosen set, those where the chosen method kept the least first.
  function listPoints() {
    const wanted = point.value;
    const listed = index.points.filter((entry) => !set.value || entry.set === set.value);
    const rank = (entry) => recallOf(entry) ?? 2;
    listed.sort((a, b) => rank(a) - rank(b) || b.needed - a.needed);
    point.replaceChildren(...listed.map((entry) => option(entry.key, describe(entry))));
    if (listed.some((entry) => entry.key === wanted)) point.value = wanted;
  }

  function step(by) {
    const at = point.selectedIndex + by;
    if (at < 0 || at >= point.length) return;
    point.selectedIndex = at;
    show();
  }

  // --- unpacking -----------------------------------------------------------------------------------

  async function unpack(key) {
    if (opened.key === key) return opened.content;
    const packed = atob(document.getElementById(`texts-${key}`).textContent);
    const bytes = Uint8Array.from(packed, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const content = JSON.parse(await new Response(stream).text());
    opened = { key, content };
    return content;
  }

  // --- showing -------------------------------------------------------------------------------------

  async function show() {
    const chosen = { key: point.value, method: method.value, budget: budget.value };
    let content;
    try {
      content = await unpack(chosen.key);
    } catch (error) {
      say(`This point cannot be unpacked here (${error}); a browser of 2023 or newer can.`);
      return;
    }
    if (chosen.key !== point.value) return; // another one was chosen meanwhile
    const result = content.results.find((r) => r.method === chosen.method && r.budget === chosen.budget);
    const missing = new Set(result?.missing ?? []);
    const isMeasured = result?.missing !== undefined;
    const needs = content.needs.map(([name, kind, turn, uses]) => ({
      name, kind, turn, uses, state: !isMeasured ? "unknown" : missing.has(name) ? "missing" : "found",
    }));
    say(summary(points.get(chosen.key), result));
    listNames(needs);
    fill(panes.span, content.span, needs);
    fill(panes.context, result?.context ? content.contexts[result.context] : "", needs);
    if (!result?.context) panes.context.textContent = "There is no compaction here.";
    form.elements.previous.disabled = point.selectedIndex <= 0;
    form.elements.next.disabled = point.selectedIndex >= point.length - 1;
    root.dataset.shown = `${chosen.key}/${chosen.method}/${chosen.budget}`;
  }

  function say(text) {
    document.getElementById("told").textContent = text;
  }

  const count = (number) => number.toLocaleString("en");

  function summary(entry, result) {
    const where = `${entry.file}, cut at ${entry.at}, ${count(entry.turns)} turns follow.`;
    if (!result) return `${where} This method did not run here.`;
    const size = `${count(result.before)} tokens became ${count(result.after)} (budget ${count(result.budgetTokens)}).`;
    const warnings = result.warnings.length ? ` Warned: ${result.warnings.join("; ")}.` : "";
    if (result.missing === undefined) {
      return `${where} ${result.failed ? "Failed" : "Not measured"}: ${result.reason}.`;
    }
    return `${where} ${size} ${result.missing.length} of ${entry.needed} needed names are missing: ` +
      `recall ${result.recall.toFixed(2)}, regret ${result.regret.toFixed(2)}, ` +
      `${count(result.refetch)} tokens to fetch them again.${warnings}`;
  }

  function listNames(needs) {
    const order = { missing: 0, found: 1, unknown: 2 };
    const sorted = [...needs].sort((a, b) => order[a.state] - order[b.state] || b.uses - a.uses);
    const list = document.createElement("ul");
    for (const need of sorted) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = need.state;
      button.textContent = need.name;
      button.title = `${need.kind}, ${need.state}; used in ${need.uses} of the turns after the cut. Show it in the text.`;
      button.addEventListener("click", () => {
        if (need.state === "missing") showPane("span");
        Object.values(panes).forEach((pane) => goTo(pane, need.name));
      });
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    list.setAttribute("aria-label", "Needed names, missing ones first");
    document.getElementById("names").replaceChildren(list);
  }

  // A transcript has its messages under headings "### position role id"; no line of a message looks like one.
  function messagesOf(text) {
    const messages = [];
    const heading = /(?<=^|\n)### (\d+) (system|user|assistant|tool) \S+(?=\n|$)/g;
    for (const match of text.matchAll(heading)) {
      if (messages.length) messages.at(-1).end = match.index;
      messages.push({ title: `${match[1]} · ${match[2]}`, role: match[2], start: match.index + match[0].length + 1, end: text.length });
    }
    return messages.length ? messages : [{ title: "", role: "", start: 0, end: text.length }];
  }

  function fill(pane, text, needs) {
    const states = new Map(needs.map((need) => [need.name, need.state]));
    const pattern = standing(needs.map((need) => need.name));
    const made = messagesOf(text).map((message) => {
      const block = document.createElement("article");
      block.className = message.role;
      const title = document.createElement("h4");
      title.textContent = message.title;
      const body = document.createElement("div");
      body.className = "text";
      body.append(...marked(text.slice(message.start, message.end).trimEnd(), pattern, states));
      block.append(title, body);
      return block;
    });
    pane.replaceChildren(...made);
    pane.scrollTop = 0;
  }

  // Any of the names where it stands as itself, not inside a longer word.
  function standing(names) {
    if (!names.length) return null;
    const word = /[\p{L}\p{N}_]/u;
    const forms = [...names].sort((a, b) => b.length - a.length).map((name) => {
      const escaped = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      const before = word.test(name[0]) ? "(?<![\\p{L}\\p{N}_])" : "";
      const after = word.test(name.at(-1)) ? "(?![\\p{L}\\p{N}_])" : "";
      return before + escaped + after;
    });
    return new RegExp(forms.join("|"), "gu");
  }

  function* marked(text, pattern, states) {
    let at = 0;
    for (const match of pattern ? text.matchAll(pattern) : []) {
      if (match.index > at) yield document.createTextNode(text.slice(at, match.index));
      const mark = document.createElement("mark");
      mark.className = states.get(match[0]);
      mark.textContent = match[0];
      yield mark;
      at = match.index + match[0].length;
    }
    if (at < text.length) yield document.createTextNode(text.slice(at));
  }

  // Scroll a pane, and only the pane, to the next place where the name stands.
  function goTo(pane, name) {
    const marks = [...pane.querySelectorAll("mark")].filter((mark) => mark.textContent === name);
    const at = marks.findIndex((mark) => mark.classList.contains("here"));
    pane.querySelectorAll(".here").forEach((mark) => mark.classList.remove("here"));
    if (!marks.length) return;
    const next = marks[(at + 1) % marks.length];
    next.classList.add("here");
    const offset = next.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    pane.scrollTop += offset - pane.clientHeight / 3;
  }

  // On a narrow screen one pane is seen at a time.
  function showPane(name) {
    root.querySelector(".panes").dataset.show = name;
    for (const button of root.querySelectorAll(".switch button")) {
      button.setAttribute("aria-pressed", String(button.dataset.pane === name));
    }
  }

  // --- wiring --------------------------------------------------------------------------------------

  function openFromAddress() {
    const match = /^#read=(.*)$/.exec(location.hash);
    if (!match) return;
    const [key, wantedMethod, wantedBudget] = match[1].split("/").map(decodeURIComponent);
    if (!points.has(key)) return;
    set.value = "";
    method.value = wantedMethod;
    budget.value = wantedBudget;
    listPoints();
    point.value = key;
    show();
    const read = document.getElementById("read");
    read.closest("details").open = true;
    read.scrollIntoView();
  }

  function start() {
    const sets = [...new Set(index.points.map((entry) => entry.set))].sort();
    set.append(...sets.map((name) => option(name, name)));
    set.closest("label").hidden = sets.length < 2;
    method.append(...index.methods.map((name) => option(name, name)));
    budget.append(...index.budgets.map((name) => option(name, name.replace("%", " %"))));
    method.value = root.dataset.method || index.methods[0];
    budget.value = root.dataset.budget || index.budgets[0];
    listPoints();
    form.addEventListener("change", (event) => {
      if (event.target !== point) listPoints();
      show();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.elements.previous.addEventListener("click", () => step(-1));
    form.elements.next.addEventListener("click", () => step(1));
    for (const button of root.querySelectorAll(".switch button")) {
      button.addEventListener("click", () => showPane(button.dataset.pane));
    }
    for (const link of document.querySelectorAll("a.open")) link.hidden = !points.has(link.dataset.point);
    addEventListener("hashchange", openFromAddress);
    addEventListener("beforeprint", () => document.querySelectorAll(".part").forEach((part) => { part.open = true; }));
    root.hidden = false;
    show();
    openFromAddress();
  }

  start();
})();
