// What is looked at: one value that all pictures show, and the address has it: #violation=0, #step=4,
// #step=4&packet=0->2&line=7. A part that shows it asks to be told of changes.

// Rows, and where they are: by step, by packet, by place.
const row_count = rows === null ? 0 : rows.step.length;
for (const [column, value] of Object.entries(rows ?? {})) {
  // One value stands for as many as there are rows.
  if (["lane", "place", "phase", "values", "message"].includes(column) && !Array.isArray(value)) rows[column] = new Array(row_count).fill(value ?? []);
}
const last_step = Math.max(use === null ? 0 : use.steps, row_count === 0 ? 0 : rows.step[row_count - 1]);
const violations = (outcome !== null && outcome.violations) || [];

// The first row of that step or a later one.
function first_row(step) {
  let low = 0;
  let high = row_count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.step[middle] < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Whether the rows of that step are all there, to be shown one by one.
function is_listed(step) {
  return rows !== null && rows.listed.some(([first, last]) => first <= step && step <= last);
}

const channel_name = (channel) => machine.channels.names[channel] ??
  `${machine.nodes.names[machine.channels.from[channel]]}->${machine.nodes.names[machine.channels.to[channel]]}`;
const packet_name = (row) => rows.chunks[rows.chunk[row]];
const several_files = rows !== null && new Set(rows.places.map((place) => place.file)).size > 1;

function line_name(place) {
  if (place < 0) return "";
  const { file, line } = rows.places[place];
  return several_files ? `${file}:${line}` : `${line}`;
}

function values_text(row) {
  const place = rows.place[row];
  if (place < 0) return "";
  return rows.places[place].variables.map((name, i) => `${name} = ${rows.values[row][i]}`).join(", ");
}

function row_text(row) {
  const lines = [`packet ${packet_name(row)}, ${unit} ${rows.step[row]}`,
    `channel ${channel_name(rows.channel[row])}, lane ${rows.lane[row]}`];
  if (rows.message && rows.message[row] !== null) lines.push(`message ${rows.message[row]} of its round`);
  if (rows.place[row] >= 0) lines.push(`line ${line_name(rows.place[row])}: ${rows.places[rows.place[row]].text.trim()}`);
  if (values_text(row) !== "") lines.push(`with ${values_text(row)}`);
  return lines.join("\n");
}

// The one that the page opens with: the earliest that counts against the table.
function first_violation() {
  const counts = (violation) => outcome.properties === undefined || violation.property !== "non_redundant";
  let first = -1;
  const step_of = (i) => violations[i].step ?? Infinity;
  violations.forEach((violation, i) => {
    if (!counts(violation) && violations.some(counts)) return;
    if (violation.property === "agreement" && outcome.verdict !== "violated") return;
    if (first < 0 || step_of(i) < step_of(first)) first = i;
  });
  return first;
}

// Where a violation is looked at: in its step, or that of the last row it is about.
function step_of_violation(violation) {
  if (violation.step !== null && violation.step !== undefined) return violation.step;
  const told = violation.rows ?? [];
  return told.length > 0 ? told[told.length - 1].step : 1;
}

const state = { step: 1, violation: -1, packet: null, source: null, line: null, lit: null, colour: rows !== null && rows.places.length > 1 ? "line" : "packet" };
const watchers = [];

function address() {
  const words = [];
  if (state.violation >= 0) words.push(`violation=${state.violation}`);
  if (state.violation < 0 || state.step !== step_of_violation(violations[state.violation])) words.push(`step=${state.step}`);
  if (state.packet !== null) words.push(`packet=${encodeURIComponent(state.packet)}`);
  if (state.source !== null) words.push(`source=${encodeURIComponent(state.source)}`);
  if (state.line !== null) words.push(`line=${encodeURIComponent(state.line)}`);
  return `#${words.join("&")}`;
}

function set(changes, remembered = true) {
  Object.assign(state, changes);
  state.step = Math.min(Math.max(1, state.step), Math.max(1, last_step));
  if (remembered) history.replaceState(null, "", address());
  for (const watcher of watchers) watcher();
}

const nothing_marked = { packet: null, source: null, line: null };

// What the address asks for; a violation alone means its step, too.
function read_address() {
  const words = new URLSearchParams(location.hash.slice(1));
  const changes = { ...nothing_marked, violation: -1 };
  const violation = words.has("violation") ? Number(words.get("violation")) : words.has("step") ? -1 : first_violation();
  if (violations[violation] !== undefined) {
    changes.violation = violation;
    changes.step = step_of_violation(violations[violation]);
  }
  if (Number.isInteger(Number(words.get("step"))) && words.has("step")) changes.step = Number(words.get("step"));
  for (const key of ["packet", "source", "line"]) if (words.has(key)) changes[key] = words.get(key);
  set(changes, false);
}

// Whether a row is of what is followed: a packet, a source, a line.
function is_marked(row) {
  if (state.packet !== null && packet_name(row) !== state.packet) return false;
  if (state.source !== null && `${rows.origins[rows.chunk[row]]}` !== state.source) return false;
  return state.line === null || line_name(rows.place[row]) === state.line;
}
const anything_marked = () => state.packet !== null || state.source !== null || state.line !== null;

// The rows of the table that the chosen violation names.
function violated_rows() {
  const violation = violations[state.violation];
  if (violation === undefined || rows === null) return new Set();
  const found = new Set();
  for (const told of violation.rows ?? []) {
    for (let row = first_row(told.step); row < row_count && rows.step[row] === told.step; ++row) {
      if (channel_name(rows.channel[row]) === told.channel && rows.lane[row] === told.lane && packet_name(row) === told.chunk)
        found.add(row);
    }
  }
  return found;
}
