// The machine at one step: where the library has put the nodes, links as dark as they are loaded, and on them what is on
// its way. It can be played, and one packet, source or line followed.

const sent_colours = ["line", "phase", "packet"];

// What a row's colour stands for, by the mode that is chosen: a number, and its name.
function key_of(row) {
  if (state.colour === "phase") return rows.phase[row];
  if (state.colour === "packet") return Number(rows.origins[rows.chunk[row]]);
  return rows.place[row];
}
function key_name(key) {
  if (state.colour === "packet") return `from ${key}`;
  if (key < 0) return "written nowhere";
  return state.colour === "phase" ? phase_name(rows.phases[key]) : `line ${line_name(key)}`;
}
const phase_name = (place) => place === null ? "written nowhere" : `line ${place.line}: ${place.text.trim().slice(0, 50)}`;
function legend_of(keys, name = key_name) {
  const shown = [...keys].sort((a, b) => a - b).slice(0, 12);
  return element("div", { class: "legend" }, ...shown.map((key) => {
    const sample = element("i", {});
    sample.style.background = series_colour(key);
    return element("span", {}, sample, name(key));
  }), keys.size > shown.length ? `and ${keys.size - shown.length} more` : null);
}

// --- the drawing's geometry: in units of the layout ------------------------------------------------------------------

function is_near(nodes, node, from, to) {
  const along = [nodes.x[to] - nodes.x[from], nodes.y[to] - nodes.y[from]];
  const whole = along[0] ** 2 + along[1] ** 2;
  const off = [nodes.x[node] - nodes.x[from], nodes.y[node] - nodes.y[from]];
  const part = Math.min(1, Math.max(0, (off[0] * along[0] + off[1] * along[1]) / whole));
  return (off[0] - part * along[0]) ** 2 + (off[1] - part * along[1]) ** 2 < 0.06;
}

// By channel: both ends and a point between them, through which the curve is drawn. What would pass over another node is
// bent; the two directions of a link lie side by side.
function ways_of({ nodes, channels }) {
  const checked = nodes.x.length * channels.from.length < 2e7;
  return channels.from.map((from, channel) => {
    const to = channels.to[channel];
    const whole = Math.max(1e-6, Math.hypot(nodes.x[to] - nodes.x[from], nodes.y[to] - nodes.y[from]));
    const right = [-(nodes.y[to] - nodes.y[from]) / whole, (nodes.x[to] - nodes.x[from]) / whole];
    const bent = checked && whole > 1.2 &&
      nodes.x.some((_, node) => node !== from && node !== to && is_near(nodes, node, from, to));
    const bend = bent ? Math.min(0.4 * whole, 1.2) * (from < to ? 1 : -1) : 0;
    const aside = 0.07;
    const end = (node) => [nodes.x[node] + right[0] * aside, nodes.y[node] + right[1] * aside];
    const middle = [(nodes.x[from] + nodes.x[to]) / 2 + right[0] * (aside - bend),
      (nodes.y[from] + nodes.y[to]) / 2 + right[1] * (aside - bend)];
    const way = [end(from), middle, end(to)];
    way.straight = !bent;
    return way;
  });
}

// The point of a way at that part of it, 0 to 1.
function point_at([from, middle, to], part) {
  const control = [2 * middle[0] - (from[0] + to[0]) / 2, 2 * middle[1] - (from[1] + to[1]) / 2];
  const at = (i) => (1 - part) ** 2 * from[i] + 2 * part * (1 - part) * control[i] + part ** 2 * to[i];
  return [at(0), at(1)];
}

// --- what is on its way ----------------------------------------------------------------------------------------------

// By channel the rows of that step that are to be seen.
function rows_at(step) {
  const found = new Map();
  if (rows === null) return found;
  for (let row = first_row(step); row < row_count && rows.step[row] === step; ++row) {
    if (!is_marked(row)) continue;
    if (!found.has(rows.channel[row])) found.set(rows.channel[row], []);
    found.get(rows.channel[row]).push(row);
  }
  return found;
}

const line_of_channel = (() => {
  if (cells === null) return null;
  const result = new Map();
  cells.lines.forEach((line, i) => line.channels.forEach((channel) => result.set(channel, i)));
  return result;
})();
const span_of = (step) => Math.floor((step - 1) / (cells ?? use).steps_per_span);

// How full a channel is: in all steps, or in the span of this one where rows are only counted.
function load_of(channel) {
  const capacity = machine.channels.capacity[channel];
  if (cells === null || is_listed(state.step)) return use.by_channel[channel] / Math.max(1, d3.sum(use.turns) * capacity);
  const line = cells.lines[line_of_channel.get(channel)];
  const lanes = line.channels.reduce((sum, each) => sum + machine.channels.capacity[each], 0);
  return cells.count[line_of_channel.get(channel)][span_of(state.step)] / Math.max(1, lanes * use.turns[span_of(state.step)]);
}

// "0->2", "0->2, 1->3", "0->2 … 7"; in rounds, where messages have a length, "0->2 (7 chunks)".
function label_of(on_channel) {
  const names = [...new Set(on_channel.map(packet_name))];
  if (unit === "round" && names.length > 2) return `${names[0]} … (${names.length} chunks)`;
  if (names.length === 1 && on_channel.length > 1) return `${on_channel.length} x ${names[0]}`;
  return names.length <= 2 ? names.join(", ") : `${names[0]} … ${names.length}`;
}

// --- the canvas ------------------------------------------------------------------------------------------------------

function machine_canvas(height) {
  const { nodes, channels } = machine;
  const ways = ways_of(machine);
  const all_nodes = nodes.x.map((_, node) => node);
  const widest = Math.max(...nodes.x, 0.5);
  const highest = Math.max(...nodes.y, 0.5);
  let zoom = d3.zoomIdentity;
  const fit = { scale: 1, scale_y: 1, x: 0, y: 0 };
  const clock = { part: 0.5 };

  const on_screen = ([x, y]) => [zoom.applyX(fit.x + x * fit.scale), zoom.applyY(fit.y + y * fit.scale_y)];
  const radius = () => Math.min(15, Math.max(2, fit.scale * zoom.k * 0.26));

  function draw_way(context, way, width, paint) {
    const [from, middle, to] = way.map(on_screen);
    context.lineWidth = width;
    context.strokeStyle = paint;
    context.beginPath();
    context.moveTo(...from);
    context.quadraticCurveTo(2 * middle[0] - (from[0] + to[0]) / 2, 2 * middle[1] - (from[1] + to[1]) / 2, ...to);
    context.stroke();
  }

  // All that are loaded alike in one stroke.
  function draw_links(context) {
    const alike = [[], [], [], [], []];
    channels.from.forEach((_, channel) => alike[load_class(load_of(channel))].push(channel));
    alike.forEach((of_class, index) => {
      context.lineWidth = 1 + index / 2;
      context.strokeStyle = amounts()[index];
      context.beginPath();
      for (const channel of of_class) {
        const [from, middle, to] = ways[channel].map(on_screen);
        context.moveTo(...from);
        if (ways[channel].straight) context.lineTo(...to);
        else context.quadraticCurveTo(2 * middle[0] - (from[0] + to[0]) / 2, 2 * middle[1] - (from[1] + to[1]) / 2, ...to);
      }
      context.stroke();
    });
  }

  function draw_packet(context, way, paint) {
    const [x, y] = on_screen(point_at(way, clock.part));
    const [back_x, back_y] = on_screen(point_at(way, Math.max(0, clock.part - 0.05)));
    const turn = Math.atan2(y - back_y, x - back_x);
    const size = Math.max(5, radius() * 0.6);
    context.fillStyle = paint;
    context.beginPath();
    for (const [along, aside] of [[1, 0], [-0.8, 0.8], [-0.8, -0.8]]) {
      context.lineTo(x + size * (along * Math.cos(turn) - aside * Math.sin(turn)), y + size * (along * Math.sin(turn) + aside * Math.cos(turn)));
    }
    context.fill();
  }

  function write_label(context, way, text, paint) {
    const [x, y] = on_screen(point_at(way, 0.5));
    const [next_x, next_y] = on_screen(point_at(way, 0.55));
    const whole = Math.max(1e-6, Math.hypot(next_x - x, next_y - y));
    const width = context.measureText(text).width + 6;
    const middle = [x - (next_y - y) / whole * (width / 2 + 4), y + (next_x - x) / whole * 11];
    context.fillStyle = colour("paper");
    context.fillRect(middle[0] - width / 2, middle[1] - 8, width, 16);
    context.strokeStyle = paint;
    context.lineWidth = 1;
    context.strokeRect(middle[0] - width / 2, middle[1] - 8, width, 16);
    context.fillStyle = paint;
    context.fillText(text, middle[0] - width / 2 + 3, middle[1] + 4);
  }

  // A row of a violation, also where the rows of its step are not in the page.
  function told_channels() {
    const told = new Map();
    const violation = violations[state.violation];
    for (const each of (violation && violation.rows) ?? []) {
      const channel = channel_by_name.get(each.channel);
      if (channel === undefined) continue;
      if (!told.has(channel)) told.set(channel, new Map());
      const name = each.step === state.step ? each.chunk : `${each.chunk} at ${each.step}`;
      told.get(channel).set(name, (told.get(channel).get(name) ?? 0) + 1);
    }
    return told;
  }

  function draw_nodes(context) {
    const size = radius();
    const add = (node) => {
      const [x, y] = on_screen([nodes.x[node], nodes.y[node]]);
      if (node >= machine.processors) context.rect(x - size, y - size * 0.7, 2 * size, 1.4 * size);
      else if (size < 4) context.rect(x - size, y - size, 2 * size, 2 * size);
      else {
        context.moveTo(x + size, y);
        context.arc(x, y, size, 0, 2 * Math.PI);
      }
    };
    const draw = (those, fill, stroke, width) => {
      context.fillStyle = fill;
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.beginPath();
      those.forEach(add);
      context.fill();
      context.stroke();
    };
    draw(all_nodes.slice(0, machine.processors), colour("paper"), colour("ink"), size < 4 ? 0.5 : 1);
    draw(all_nodes.slice(machine.processors), colour("soft"), colour("ink"), size < 4 ? 0.5 : 1);
    const violation = violations[state.violation];
    const bad = all_nodes.filter((node) => violation && violation.node === nodes.names[node]);
    draw(bad, colour("paper"), colour("violated"), 3);
    if (size < 9) return;
    context.textAlign = "center";
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = colour("ink");
    for (const node of all_nodes) {
      const [x, y] = on_screen([nodes.x[node], nodes.y[node]]);
      context.fillText(nodes.names[node], x, y + 4);
    }
    context.textAlign = "start";
  }

  function paint(context, width, height_now) {
    fit.scale = Math.min((width - 60) / widest, (height_now - 60) / highest, 160);
    fit.scale_y = Math.min(Math.max(fit.scale, Math.min(45, fit.scale * 40)), (height_now - 60) / highest);
    fit.x = (width - widest * fit.scale) / 2;
    fit.y = (height_now - highest * fit.scale_y) / 2;
    const here = rows_at(state.step);
    const told = told_channels();
    draw_links(context);
    for (const [channel, on_channel] of here) draw_way(context, ways[channel], 2.5, series_colour(key_of(on_channel[0])));
    for (const channel of told.keys()) draw_way(context, ways[channel], 3, colour("violated"));
    draw_nodes(context);
    for (const [channel, on_channel] of here) if (!told.has(channel)) draw_packet(context, ways[channel], series_colour(key_of(on_channel[0])));
    for (const channel of told.keys()) draw_packet(context, ways[channel], colour("violated"));
    context.font = "12px system-ui, sans-serif";
    if (here.size <= 40 && fit.scale * zoom.k > 30) {
      for (const [channel, on_channel] of here) if (!told.has(channel)) write_label(context, ways[channel], label_of(on_channel), colour("ink"));
    }
    for (const [channel, names] of told) {
      const text = [...names].map(([name, count]) => (count > 1 ? `${count} x ${name}` : name)).slice(0, 3).join(", ");
      write_label(context, ways[channel], names.size > 3 ? `${text} … ${names.size}` : text, colour("violated"));
    }
  }

  const canvas = canvas_of(height, "The machine: its nodes and links, and what is on its way", paint);
  zoomed(canvas, d3.zoom().scaleExtent([0.8, 40]).on("zoom", ({ transform }) => {
    zoom = transform;
    canvas.repaint();
  }));
  canvas.addEventListener("mousemove", (event) => show_tip(event, text_near(event.offsetX, event.offsetY)));
  canvas.addEventListener("mouseleave", (event) => show_tip(event, null));

  function text_near(x, y) {
    const node = nodes.x.findIndex((_, each) => {
      const [at_x, at_y] = on_screen([nodes.x[each], nodes.y[each]]);
      return Math.hypot(at_x - x, at_y - y) < radius() + 1;
    });
    if (node >= 0) return `${node < machine.processors ? "processor" : "switch"} ${nodes.names[node]}`;
    const channel = ways.findIndex((way) => [0.3, 0.4, 0.5, 0.6, 0.7].some((part) => {
      const [at_x, at_y] = on_screen(point_at(way, part));
      return Math.hypot(at_x - x, at_y - y) < 7;
    }));
    return channel < 0 ? null : channel_text(channel);
  }

  canvas.play_to = (part) => {
    clock.part = part;
    canvas.repaint();
  };
  watchers.push(canvas.repaint);
  return canvas;
}

const channel_by_name = new Map();
if (machine !== null) machine.channels.from.forEach((_, channel) => channel_by_name.set(channel_name(channel), channel));

function channel_text(channel) {
  const used = `channel ${channel_name(channel)}: ${plural(use.by_channel[channel], "row")} in ${plural(use.steps, unit)}`;
  const here = rows_at(state.step).get(channel);
  if (here !== undefined) return [used, ...here.slice(0, 5).map(row_text), here.length > 5 ? "…" : ""].join("\n");
  if (cells === null || is_listed(state.step)) return used;
  return `${used}\n${counted_text(line_of_channel.get(channel), span_of(state.step))}`;
}

// What is known of rows that are only counted, and how they are seen one by one.
function counted_text(line, span) {
  const first = span * cells.steps_per_span + 1;
  const last = Math.min(cells.steps, first + cells.steps_per_span - 1);
  const { channels } = cells.lines[line];
  const named = channels.length === 1 ? channel_name(channels[0]) : `${channel_name(channels[0])} and ${channels.length - 1} more`;
  const phase = cells.phases[cells.phase[line][span]];
  return [`${named}, ${unit}s ${first} to ${last}: ${plural(cells.count[line][span], "row")}`,
    phase === undefined || phase === null ? null : `most of line ${phase.line}: ${phase.text.trim()}`,
    `row by row: ${about.command.replace(/ --steps \S+/, "")} --steps ${first}..${last}`].filter((text) => text !== null).join("\n");
}

// --- playing ---------------------------------------------------------------------------------------------------------

function player(canvas) {
  let playing = null;
  const button = (label, title, act) => element("button", { type: "button", title, "aria-label": title, onclick: act }, label);
  const slider = element("input", { type: "range", min: 1, max: Math.max(1, last_step), "aria-label": unit, oninput: () => set({ step: Number(slider.value) }) });
  const shown = element("output", { class: "mono" });
  const play = button("▶", "play", () => (playing === null ? start() : stop()));

  function stop() {
    if (playing !== null) cancelAnimationFrame(playing);
    playing = null;
    play.textContent = "▶";
    play.title = "play";
    canvas.play_to(0.5);
  }
  function start() {
    let before = null;
    let part = 0;
    if (state.step >= last_step) set({ step: 1 });
    play.textContent = "❚❚";
    play.title = "pause";
    const frame = (now) => {
      part += before === null ? 0 : (now - before) / 900;
      before = now;
      if (part >= 1 && state.step >= last_step) return stop();
      if (part >= 1) {
        part = 0;
        set({ step: state.step + 1 });
      }
      canvas.play_to(part);
      playing = requestAnimationFrame(frame);
      return undefined;
    };
    playing = requestAnimationFrame(frame);
  }
  watchers.push(() => {
    slider.value = state.step;
    shown.textContent = `${unit} ${state.step} of ${last_step}`;
  });
  document.addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    if (event.key === "ArrowRight") set({ step: state.step + 1 });
    else if (event.key === "ArrowLeft") set({ step: state.step - 1 });
    else if (event.key === " ") play.click();
    else return;
    event.preventDefault();
  });
  return element("div", { class: "bar", role: "group", "aria-label": "time" },
    button("|◀", "first", () => set({ step: 1 })), button("◀", "back", () => set({ step: state.step - 1 })), play,
    button("▶|", "forwards", () => set({ step: state.step + 1 })), slider, shown);
}

// What is followed, and what colours mean.
function follower() {
  if (rows === null || row_count === 0) return element("div", {});
  const names = (id, values) => element("datalist", { id }, ...values.slice(0, 2000).map((value) => element("option", { value })));
  const field = (key, label, values) => {
    const input = element("input", { list: `known-${key}`, size: 8, "aria-label": `follow one ${key}`, placeholder: "all", onchange: () => set({ [key]: input.value === "" ? null : input.value }) });
    watchers.push(() => { input.value = state[key] ?? ""; });
    return [element("label", {}, `${label} `, input), names(`known-${key}`, values)];
  };
  const lines = [...new Set(rows.places.map((_, place) => line_name(place)))];
  const colours = sent_colours.map((mode) => {
    const made = element("button", { type: "button", onclick: () => set({ colour: mode }) }, mode);
    watchers.push(() => made.setAttribute("aria-pressed", state.colour === mode));
    return made;
  });
  return element("div", { class: "bar", role: "group", "aria-label": "what is followed" }, "follow",
    ...field("packet", "packet", rows.chunks), ...field("source", "source", [...new Set(rows.origins.map(String))]),
    ...field("line", "line", lines), element("button", { type: "button", onclick: () => set(nothing_marked) }, "all"),
    "colours by", ...colours);
}
