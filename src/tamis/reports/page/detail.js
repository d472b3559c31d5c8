// One answer or one context in full, alone or beside another. What comes from a run is only ever set as text.
"use strict";

const score = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const count = (value) => value.toLocaleString("en");

// An element with its attributes and children; strings become text.
function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const detail = (() => {
  const place = (at, named) =>
    el("p", { class: "where quiet" }, `${at.set} · ${named ? "" : `${at.session} at ${at.label} · `}${count(at.tokens)} tokens, ${count(at.turns)} turns follow`);

  const arm = (of, run) =>
    `${run ? `${run}: ` : ""}${of.method}, ${of.budget}${of.cycle > 1 ? `, cycle ${of.cycle}` : ""}`;

  function pane(messages, label, mark, empty) {
    const box = el("div", { class: "pane", tabindex: "0", role: "region", "aria-label": label });
    if (!messages.length) box.append(el("p", { class: "quiet" }, empty));
    for (const message of messages) {
      const body = el("div", { class: "text" });
      message.pieces.forEach((piece, i) => {
        if (piece) body.append(i % 2 ? el("mark", { class: mark(piece) }, piece) : piece);
      });
      box.append(el("article", { class: message.role }, el("h4", {}, message.title), body));
    }
    return box;
  }

  // Buttons that go through the marks of a pane, and say how many there are.
  function jumping(box, title) {
    const marks = [...box.querySelectorAll("mark")];
    const told = el("span", { class: "quiet" }, `${count(marks.length)} marked`);
    const head = el("p", { class: "jump" }, el("b", {}, title), told);
    if (marks.length) {
      let at = -1;
      const next = el("button", { type: "button" }, "Next mark");
      next.addEventListener("click", () => {
        if (at >= 0) marks[at].classList.remove("here");
        at = (at + 1) % marks.length;
        marks[at].classList.add("here");
        const offset = marks[at].getBoundingClientRect().top - box.getBoundingClientRect().top;
        box.scrollTop += offset - box.clientHeight / 3;
        told.textContent = `${at + 1} of ${count(marks.length)} marked`;
      });
      head.append(next);
    }
    return [head, box];
  }

  function list(values) {
    const told = el("span");
    values.forEach((value, i) => told.append(i ? ", " : "", el("code", {}, value)));
    return told;
  }

  const term = (name, ...said) => [el("dt", {}, name), el("dd", {}, ...said)];

  function judged(one) {
    const head = [el("b", {}, score(one.overall)), ` overall, by ${one.rubric}`, one.repeat ? `, time ${one.repeat + 1}` : ""];
    if (one.unsaid) return el("div", {}, `not measured: ${one.unsaid}`);
    const rows = one.results.map((r) =>
      el("li", {}, el("b", {}, r.score === null ? "–" : r.score.toFixed(1)), ` ${r.criterion.replaceAll("_", " ")}: ${r.reasoning}`));
    return el("div", {}, ...head, el("ul", {}, ...rows));
  }

  function answerSide(found, run, doubts) {
    const record = el("dl", { class: "record" });
    const said = found.answer === null ? el("span", {}, `not measured: ${found.unsaid}`)
      : found.declined ? el("i", {}, "declined") : el("pre", {}, found.answer);
    record.append(...term("Answered", said));
    record.append(...term("Score", el("b", {}, score(found.score)), ` ${found.reason}`,
      found.held === null ? "" : el("span", { class: "quiet" }, ` held: ${score(found.held)}`)));
    for (const one of found.judgements) {
      const doubt = doubts.get(one.judge);
      record.append(el("dt", {}, "Judged ", el("small", {}, one.judge)),
        el("dd", {}, judged(one), doubt ? el("p", { class: "verdict doubt" }, `Not to be relied on: ${doubt}`) : ""));
    }
    const box = pane(found.context, "The context", () => "found", "There is no context here.");
    const size = `${count(found.arm.before)} tokens became ${count(found.arm.after)}, read by ${found.reader}`;
    const side = el("section", { class: "side" }, el("h3", {}, arm(found.arm, run), " ", el("span", { class: "quiet" }, size)),
      record, ...jumping(box, "Context"));
    for (const [name, text] of [["Prompt", found.prompt], ["Reply", found.reply]]) {
      if (text !== null) side.append(el("details", {}, el("summary", {}, name), el("pre", { tabindex: "0" }, text)));
    }
    return side;
  }

  function answers(found, doubts) {
    const [first] = found;
    const one = first.value;
    const record = el("dl", { class: "record" });
    record.append(...term("Expected", one.expected.length ? list(one.expected) : "to be declined: the span does not tell",
      one.closed ? el("span", { class: "quiet" }, " and nothing else") : ""));
    if (one.superseded.length) record.append(...term("No longer", list(one.superseded)));
    const sources = pane(one.sources, "The source messages", () => "found", "No message of the span proves it.");
    return [
      el("h2", {}, one.question, " ", el("span", { class: "quiet" }, one.kind)),
      place(one.place), record,
      el("div", { class: found.length > 1 ? "sides two" : "sides" }, ...found.map((of) => answerSide(of.value, of.run, doubts))),
      el("section", { class: "sources" }, el("h3", {}, "Where the answer stood"), ...jumping(sources, "Source")),
    ];
  }

  function contextSide(found, run) {
    const missing = found.needs.filter((need) => need.state === "missing");
    const states = new Map(found.needs.map((need) => [need.name, need.state]));
    const told = found.reason ? `not measured: ${found.reason}`
      : `recall ${score(found.recall)}, regret ${score(found.regret)}; ${count(missing.length)} of ${count(found.needs.length)} needed names are missing`;
    const names = el("ul", { class: "names", tabindex: "0", "aria-label": "Needed names, missing ones first" });
    for (const need of [...missing, ...found.needs.filter((need) => need.state !== "missing")]) {
      names.append(el("li", { class: need.state, title: `${need.kind}, used in ${need.uses} turns` }, need.name));
    }
    const box = pane(found.context, "The context", (name) => states.get(name), "There is no context here.");
    const size = `${count(found.arm.before)} tokens became ${count(found.arm.after)}`;
    return el("section", { class: "side" }, el("h3", {}, arm(found.arm, run), " ", el("span", { class: "quiet" }, size)),
      el("p", {}, told), found.warnings.length ? el("p", { class: "quiet" }, `Warned: ${found.warnings.join("; ")}`) : "",
      names, ...jumping(box, "Context"));
  }

  function contexts(found) {
    const one = found[0].value;
    const states = new Map(one.needs.map((need) => [need.name, need.state]));
    const span = pane(one.span, "The span", (name) => states.get(name), "The span is empty.");
    return [
      el("h2", {}, `${one.place.session} at ${one.place.label}`), place(one.place, true),
      el("div", { class: found.length > 1 ? "sides two" : "sides" }, ...found.map((of) => contextSide(of.value, of.run))),
      el("section", { class: "sources" }, el("h3", {}, one.span_is === "span" ? "The span" : "What came since the cycle before"), ...jumping(span, "Span")),
    ];
  }

  return { answers, contexts };
})();
