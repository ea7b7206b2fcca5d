// The first screen: the verdict, and of what is violated in one sentence what, when, where, and the rows that it is
// about, each with its line and the values of its loops; beside it the machine, stopped there.

function told_row(told, index) {
  const written = told.source;
  const packet = element("strong", {}, told.chunk);
  const line = written === null || written === undefined ? null : line_text(written.file, written.line);
  const values = written === null || written === undefined ? [] : Object.entries(written.variables ?? {});
  const place = written === null || written === undefined ? "" : `, line ${written.line}`;
  const with_values = values.length === 0 ? "" : `, with ${values.map(([name, value]) => `${name} = ${value}`).join(", ")}`;
  return element("div", {
    class: "row", "data-violation": index, "data-packet": told.chunk, "data-line": written ? written.line : null,
    "data-step": told.step, "data-channel": told.channel, "data-lane": told.lane,
  }, packet, ` on ${told.channel}, lane ${told.lane}, ${unit} ${told.step}${place}${with_values}`,
  line === null ? null : element("code", { class: "line" }, line.trim()));
}

function line_text(file, line) {
  const text = texts.find(({ name }) => name === file);
  return text === undefined ? null : text.text.split("\n")[line - 1] ?? null;
}

// The first sentence that a person needs.
function headline() {
  const count = (number, noun) => (number === undefined || number === null ? [] : [plural(number, noun)]);
  const numbers = [...count(outcome.steps, unit), ...count(outcome.messages, "message"), ...count(outcome.rows, "row")];
  const part = use !== null && use.cut ? element("p", { class: "violated" }, "A limit ended the reading of the rows: the pictures show a part.") : null;
  return numbers.length === 0 ? null : element("div", {}, element("p", { class: "second" }, numbers.join(", ")), part);
}

function violation_shown() {
  const index = state.violation;
  const violation = violations[index];
  if (violation === undefined) return [];
  const facts = [];
  if (violation.step !== null && violation.step !== undefined) facts.push(`${unit} ${violation.step}`);
  if (violation.channel) facts.push(`channel ${violation.channel}`);
  if (violation.node) facts.push(`at ${violation.node}`);
  const told = violation.rows ?? [];
  const more = (violation.rows_concerned ?? told.length) - Math.min(told.length, 6);
  const written = violation.source;
  const own = written && told.length === 0 ? element("div", {
    class: "row", "data-violation": index, "data-packet": violation.chunk ?? null, "data-line": written.line,
  }, `line ${written.line}`, element("code", { class: "line" }, (line_text(written.file, written.line) ?? "").trim())) : null;
  return [
    element("p", { id: "what", "data-violation": index }, element("strong", { class: "violated" }, `${violation.property}: `), violation.message),
    element("p", { id: "where", class: "second" }, facts.join(", ")),
    ...told.slice(0, 6).map((each) => told_row(each, index)), own,
    more > 0 ? element("p", { class: "second" }, `and ${plural(more, "row")} more`) : null,
  ];
}

function violation_list() {
  if (violations.length < 2) return null;
  const counts = Object.values(outcome.properties ?? {}).reduce((sum, { violations: count }) => sum + (count ?? 0), 0);
  const choice = element("select", { "aria-label": "violation", onchange: () => {
    const index = Number(choice.value);
    set({ ...nothing_marked, violation: index, step: step_of_violation(violations[index]) });
  } }, ...violations.map((violation, index) => element("option", { value: index }, `${violation.property}${typeof violation.step === "number" ? `, ${unit} ${violation.step}` : ""}`)));
  watchers.push(() => { choice.value = String(state.violation); });
  return element("div", { class: "bar" }, element("label", {}, "violation ", choice), counts > violations.length ? `${as_count(counts)} in all` : null);
}

// The rows of the step that the machine shows, for those who read.
function step_table() {
  const shown = element("div", { class: "scroll" });
  watchers.push(() => {
    if (rows === null) return;
    const lines = [];
    const violated = violated_rows();
    let count = 0;
    for (let row = first_row(state.step); row < row_count && rows.step[row] === state.step; ++row) {
      if (!is_marked(row) || ++count > 500) continue;
      const line = rows.place[row] < 0 ? null : rows.places[rows.place[row]].line;
      lines.push({
        cells: [packet_name(row), channel_name(rows.channel[row]), rows.lane[row], line, values_text(row)],
        attributes: { "data-packet": packet_name(row), "data-line": line, "data-step": state.step, "data-violation": violated.has(row) ? state.violation : null },
      });
    }
    const shown_of = count > lines.length ? `the first ${lines.length} of ${as_count(count)} rows` : plural(count, "row");
    const what = is_listed(state.step) ? shown_of : "its rows are only counted in this page";
    shown.replaceChildren(table_of(`${unit} ${state.step}: ${what}`, ["packet", "channel", "lane", "line", "with"], lines));
  });
  return shown;
}

parts.push({
  id: "verdict", title: null,
  wanted: () => true,
  made: () => {
    const word = outcome.verdict ?? about.kind;
    const said = element("p", { class: `verdict ${word}`, id: "said" }, outcome.verdict ?? "");
    const details = element("div", {});
    watchers.push(() => details.replaceChildren(...violation_shown().filter((each) => each !== null)));
    const right = violations.length === 0 && outcome.properties && machine !== null ? [bound_table(), property_table()] : [];
    const left = element("div", {}, said, headline(), violation_list(), details, ...right.filter((each) => each !== null));
    if (machine === null || machine.nodes.x.length === 0 || use === null || use.rows === 0) return [left];
    const canvas = machine_canvas(440);
    return [element("div", { class: "columns" }, left, element("div", { id: "machine-view" }, canvas, player(canvas), follower())), step_table()];
  },
});
