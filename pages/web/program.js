// Programs of other systems: a column for each block (GOAL: rank), its operations downwards, and what orders them. Two
// operations of a race, and those that wait for one another, are marked; what a mend would add is drawn beside.

const program = block("program");
const is_goal = about.kind === "goal";
const is_plan = about.kind === "plan";

const column_name = (operation) => (is_goal ? `rank ${operation.rank}` : `gpu ${operation.gpu}, block ${operation.block}`);
const is_at = (operation, at) => at !== null && at !== undefined && (is_goal ? operation.rank === at.rank && operation.operation === at.operation
  : operation.gpu === at.gpu && operation.block === at.block && (is_plan ? operation.operation === at.operation : operation.line === at.line));
const step_text = (at) => (is_plan ? at.operation ?? "" : `step ${at.step}`);
const at_text = (at) => (at === null || at === undefined ? "" : is_goal ? `rank ${at.rank}, ${at.label ?? at.operation}` : `gpu ${at.gpu}, block ${at.block}, ${step_text(at)}`);

// How many operations come before each one, along the longest chain; what is on a cycle stands below what it waits for.
function depths_of({ operations, edges }) {
  const depth = new Array(operations.length).fill(0);
  const open = new Array(operations.length).fill(0);
  const later = operations.map(() => []);
  for (const edge of edges) {
    if (edge.why === "message") continue;
    ++open[edge.later];
    later[edge.earlier].push(edge.later);
  }
  for (const edge of edges) if (edge.why === "message") later[edge.earlier].push(edge.later);
  for (const edge of edges) if (edge.why === "message") ++open[edge.later];
  const ready = operations.map((_, i) => i).filter((i) => open[i] === 0);
  const order = [];
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    order.push(next);
    for (const each of later[next]) {
      depth[each] = Math.max(depth[each], depth[next] + 1);
      if (--open[each] === 0) ready.push(each);
    }
  }
  if (order.length === operations.length) return depth;
  const last = new Map();  // on a cycle: in the order of the columns
  operations.forEach((operation, i) => {
    const before = last.get(column_name(operation)) ?? -1;
    if (open[i] > 0) depth[i] = Math.max(before + 1, Math.min(depth[i], before + 2));
    last.set(column_name(operation), Math.max(before, depth[i]));
  });
  return depth;
}

// The operations that findings and waits are about.
function marked_operations() {
  const marked = new Map();
  const mark = (at, index) => {
    const found = program.operations.findIndex((operation) => is_at(operation, at));
    if (found >= 0 && !marked.has(found)) marked.set(found, index);
    return found;
  };
  const pairs = [];
  (outcome.findings ?? []).forEach((finding, index) => {
    const pair = [mark(finding.at, index), mark(finding.other, index)];
    if (pair[0] >= 0 && pair[1] >= 0) pairs.push([...pair, finding.property]);
  });
  for (const wait of outcome.waits ?? []) {
    const pair = [mark(wait.at, 0), mark(wait.other, 0)];
    if (pair[0] >= 0 && pair[1] >= 0) pairs.push([...pair, "waits for"]);
  }
  return { marked, pairs };
}

function program_canvas(label, added, { marked, pairs }) {
  const columns = [...new Set(program.operations.map(column_name))];
  const column = new Map(columns.map((name, i) => [name, i]));
  const depth = depths_of({ operations: program.operations, edges: [...program.edges, ...added] });
  const [wide, high] = [150, 30];
  let zoom = d3.zoomIdentity;
  const at = (i) => [zoom.applyX(20 + column.get(column_name(program.operations[i])) * wide), zoom.applyY(34 + depth[i] * high)];
  const box = [wide * 0.72, high * 0.62];

  function arrow(context, from, to, paint, dashes, width = 1) {
    const [start, end] = [at(from), at(to)];
    const k = zoom.k;
    const same = Math.abs(start[0] - end[0]) < 1;
    const first = [start[0] + (same ? box[0] / 2 : start[0] < end[0] ? box[0] : 0) * k, start[1] + (same ? box[1] : box[1] / 2) * k];
    const last = [end[0] + (same ? box[0] / 2 : start[0] < end[0] ? 0 : box[0]) * k, end[1] + (same ? 0 : box[1] / 2) * k];
    context.strokeStyle = paint;
    context.lineWidth = width;
    context.setLineDash(dashes);
    context.beginPath();
    context.moveTo(...first);
    context.lineTo(...last);
    context.stroke();
    context.setLineDash([]);
    const turn = Math.atan2(last[1] - first[1], last[0] - first[0]);
    context.fillStyle = paint;
    context.beginPath();
    for (const [along, aside] of [[0, 0], [-7, 3], [-7, -3]]) context.lineTo(last[0] + along * Math.cos(turn) - aside * Math.sin(turn), last[1] + along * Math.sin(turn) + aside * Math.cos(turn));
    context.fill();
  }

  const canvas = canvas_of(Math.min(520, 60 + (Math.max(...depth) + 1) * high), label, (context, width, height) => {
    context.font = `${Math.max(7, Math.min(12, 11 * zoom.k))}px system-ui, sans-serif`;
    for (const edge of program.edges) {
      if (edge.why === "program") arrow(context, edge.earlier, edge.later, colour("faint"), []);
      else arrow(context, edge.earlier, edge.later, edge.why === "message" ? series[0] : series[3], edge.why === "message" ? [] : [4, 3]);
    }
    for (const edge of added) arrow(context, edge.earlier, edge.later, colour("holds"), [], 2.5);
    for (const [from, to] of added.length > 0 ? [] : pairs) arrow(context, from, to, colour("violated"), [6, 3], 2.5);
    program.operations.forEach((operation, i) => {
      const [x, y] = at(i);
      if (x > width || y > height || x + box[0] * zoom.k < 0 || y + box[1] * zoom.k < 0) return;
      context.fillStyle = colour("soft");
      context.strokeStyle = marked.has(i) && added.length === 0 ? colour("violated") : colour("ink");
      context.lineWidth = marked.has(i) ? 2 : 0.7;
      context.fillRect(x, y, box[0] * zoom.k, box[1] * zoom.k);
      context.strokeRect(x, y, box[0] * zoom.k, box[1] * zoom.k);
      if (zoom.k < 0.5) return;
      context.fillStyle = colour("ink");
      context.fillText(operation.does, x + 3, y + box[1] * zoom.k * 0.72, box[0] * zoom.k - 6);
    });
    context.fillStyle = colour("second");
    columns.forEach((name, i) => context.fillText(name, zoom.applyX(20 + i * wide), Math.max(12, zoom.applyY(24)), wide * zoom.k - 4));
  });
  const zoomer = d3.zoom().scaleExtent([0.02, 6]).on("zoom", ({ transform }) => {
    zoom = transform;
    canvas.repaint();
  });
  zoomed(canvas, zoomer);
  canvas.addEventListener("mousemove", (event) => {
    const found = program.operations.findIndex((_, i) => {
      const [x, y] = at(i);
      return event.offsetX >= x && event.offsetX <= x + box[0] * zoom.k && event.offsetY >= y && event.offsetY <= y + box[1] * zoom.k;
    });
    if (found < 0) return show_tip(event, null);
    const operation = program.operations[found];
    return show_tip(event, `${column_name(operation)}${is_goal ? "" : `, ${step_text(operation)}`}${operation.line ? `, line ${operation.line}` : ""}\n${operation.does}`);
  });
  canvas.addEventListener("mouseleave", (event) => show_tip(event, null));
  // As much of it in sight at first as can be read.
  const fitted = () => {
    const share = Math.min(1, canvas.clientWidth / (20 + columns.length * wide));
    if (canvas.clientWidth > 0) d3.select(canvas).call(zoomer.transform, d3.zoomIdentity.scale(Math.max(0.55, share)));
  };
  requestAnimationFrame(fitted);
  return canvas;
}

function finding_list() {
  return [...(outcome.findings ?? []).map((finding, index) => element("div", {
    class: "row", "data-violation": index, "data-line": finding.at?.line ?? null,
  }, element("strong", { class: "violated" }, `${finding.property}: `), finding.message,
  element("div", { class: "second" }, [finding.at, finding.other].filter((at) => at).map((at) => `${at_text(at)}${at.line ? `, line ${at.line}` : ""}`).join(" and ")))),
  ...(outcome.waits ?? []).map((wait) => element("div", { class: "row", "data-line": wait.at.line ?? null }, `${at_text(wait.at)} waits for ${wait.waits_for}${is_goal ? ` ${at_text(wait.other)}` : ""}`))];
}

parts.push({
  id: "program", title: "What orders what",
  wanted: () => about.kind === "program" || is_goal || is_plan,
  made: () => {
    const made = finding_list();
    if (program === null || program.cut || program.operations.length === 0) {
      return [...made, element("p", { class: "second" }, "Its operations are too many to be drawn, or not known.")];
    }
    const found = marked_operations();
    const legend = element("p", { class: "second" }, `${is_goal ? "" : "grey: the next of its block; "}blue: ${is_plan ? "from gpu to gpu" : "a message"}; dashed: ${is_goal ? "a dependency" : is_plan ? "between blocks of a gpu" : "a flag that is waited for"}; red: what is wrong${outcome.mend ? "; green: what the mend adds" : ""}`);
    const before = program_canvas("Operations and what orders them", [], found);
    const added = (outcome.mend && program.mend) || [];
    const pictures = added.length === 0 ? before : element("div", { class: "pair" }, element("div", {}, element("h3", {}, "as it is"), before),
      element("div", {}, element("h3", {}, `with the mend: ${outcome.mend.verdict}`), program_canvas("Operations with what the mend adds", added, found)));
    const lines = program.operations.slice(0, 2000).map((operation, i) => ({
      cells: [column_name(operation), is_goal ? operation.label ?? operation.operation : is_plan ? operation.operation : operation.step, operation.line, operation.does],
      attributes: { "data-line": operation.line ?? null, "data-violation": found.marked.get(i) ?? null },
    }));
    const changes = outcome.mend ? element("ul", {}, ...outcome.mend.changes.map((change) => element("li", {}, change))) : null;
    return [...made, legend, pictures, changes, element("details", {}, element("summary", {}, "the operations as a table"), element("div", { class: "scroll" }, table_of("operations", ["where", "step", "line", "does"], lines)))];
  },
});
