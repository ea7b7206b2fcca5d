// A proof: the theorem, what is shown for each property and how, invariants, and counterexamples.

function place_of(source) {
  return source === null || source === undefined ? null : `${source.file ?? ""}:${source.line}`;
}

function counterexample(obligation) {
  const { counterexample: found } = obligation;
  if (!found) return null;
  const values = (object) => Object.entries(object ?? {}).map(([name, value]) => `${name} = ${value}`).join(", ");
  const written = obligation.source;
  return element("div", { class: "row", "data-line": written ? written.line : null },
    element("strong", { class: "violated" }, `${obligation.property}: `), `${obligation.meaning} — fails at ${values(found.arguments)}`,
    element("div", {}, found.text ?? ""), element("div", { class: "second" }, values(found.variables)),
    found.violation ? element("div", {}, `the checker finds at this size: ${found.violation}`) : null,
    found.command ? element("code", {}, found.command) : null);
}

parts.push({
  id: "proof", title: "Proof",
  wanted: () => about.kind === "prove",
  made: () => {
    const theorem = outcome.theorem === null ? null : element("p", { id: "theorem" }, outcome.theorem);
    const refuted = outcome.obligations.map(counterexample).filter((each) => each !== null);
    const groups = d3.groups(outcome.obligations, ({ property }) => property).map(([property, list]) => {
      const word = outcome.properties[property] ?? "";
      const lines = list.map((each) => ({
        cells: [each.name, each.for, each.meaning, each.theory, element("span", { class: each.verdict }, each.verdict), each.reason, place_of(each.source)],
        attributes: { "data-line": each.source ? each.source.line : null },
      }));
      return element("details", { open: word !== "proved" }, element("summary", {}, `${property}: `, element("span", { class: word }, word), `, ${plural(list.length, "obligation")}`),
        element("div", { class: "scroll" }, table_of("", ["name", "for", "meaning", "how", "verdict", "why not", "line"], lines)));
    });
    const invariants = outcome.invariants && outcome.invariants.length > 0 ? table_of("invariants", ["invariant", "verdict", "line"],
      outcome.invariants.map((each) => ({ cells: [element("code", {}, each.text), element("span", { class: each.verdict }, each.verdict), place_of(each.source)], attributes: { "data-line": each.source ? each.source.line : null } }))) : null;
    return [theorem, outcome.domain ? element("p", { class: "second" }, `for ${outcome.domain}; ${outcome.machine}`) : null, ...refuted, invariants, ...groups];
  },
});
