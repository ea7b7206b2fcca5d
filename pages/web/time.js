// Space and time: a band for each channel that carries something, by groups, over steps; each row a cell. Many rows are
// painted pixel by pixel, so that a picture of 200,000 takes some milliseconds; what is only counted has cells of spans.

function bands_of() {
  const bands = [];
  machine.groups.forEach((group, index) => {
    if (cells !== null && !rows_are_all) {
      cells.lines.forEach((line, number) => {
        if (line.group === index && line.channels.some((channel) => use.by_channel[channel] > 0)) bands.push({ group: index, channels: line.channels, line: number });
      });
      return;
    }
    for (const channel of group.channels) if (use.by_channel[channel] > 0) bands.push({ group: index, channels: [channel], line: -1 });
  });
  return bands;
}
const rows_are_all = rows !== null && cells === null;

const many = 10_000;  // rows, beyond which they are painted pixel by pixel

function time_canvas(height) {
  const bands = bands_of();
  const band_of = new Map();
  bands.forEach((band, index) => band.channels.forEach((channel) => band_of.set(channel, index)));
  const left = 96;
  const top = 22;
  let zoom = d3.zoomIdentity;
  let x = d3.scaleLinear();
  let y = d3.scaleLinear();

  function scales(width, high) {
    x = zoom.rescaleX(d3.scaleLinear([1, last_step + 1], [left, width - 4]));
    y = zoom.rescaleY(d3.scaleLinear([0, Math.max(1, bands.length)], [top, high - 4]));
  }

  function draw_grid(context, width, high) {
    context.fillStyle = colour("second");
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    for (const step of x.ticks(Math.min(12, last_step)).filter(Number.isInteger)) {
      if (x(step) >= left && step <= last_step) context.fillText(step, (x(step) + x(step + 1)) / 2, 14);
    }
    context.textAlign = "start";
    context.fillText(unit, 4, 14);
    const each = y(1) - y(0);
    let shown = top;
    bands.forEach((band, index) => {
      const first = index === 0 || bands[index - 1].group !== band.group;
      const at = y(index);
      if (at + each < top || at > high) return;
      if (first) {
        context.fillStyle = colour("faint");
        context.fillRect(0, at - 0.5, width, 1);
      }
      if (at + each / 2 < shown || (each < 3 && !first)) return;
      context.fillStyle = colour("second");
      const name = each < 9 && first ? machine.groups[band.group].name : band.channels.length === 1 ? channel_name(band.channels[0]) : `${channel_name(band.channels[0])} …`;
      context.fillText(name.slice(0, 16), 4, Math.max(at + each / 2 + 4, top + 9));
      shown = at + each / 2 + 11;
    });
  }

  // Rows between the first and the last step that are in sight, or as cells.
  function draw_rows(context, width, high) {
    const each = Math.max(1, y(1) - y(0) - (y(1) - y(0) > 4 ? 1 : 0));
    const column = Math.max(1, x(2) - x(1) - (x(2) - x(1) > 4 ? 1 : 0));
    const from = first_row(Math.floor(x.invert(left)));
    const last = Math.ceil(x.invert(width));
    const labelled = each > 10 && column > 28;
    context.font = "10px system-ui, sans-serif";
    for (let row = from; row < row_count && rows.step[row] <= last; ++row) {
      const channel = rows.channel[row];
      const lanes = machine.channels.capacity[channel];
      const slice = each / lanes;
      const at = y(band_of.get(channel)) + Math.min(rows.lane[row], lanes - 1) * slice;
      if (at + slice < top || at > high) continue;
      context.globalAlpha = is_marked(row) ? 1 : 0.15;
      context.fillStyle = series_colour(key_of(row));
      context.fillRect(x(rows.step[row]), at, column, Math.max(slice - (slice > 3 ? 0.5 : 0), 0.7));
      if (!labelled || slice < 10) continue;
      context.fillStyle = "#000000";
      context.fillText(packet_name(row), x(rows.step[row]) + 2, at + slice / 2 + 4, column - 4);
    }
    context.globalAlpha = 1;
  }

  // By row: its band, its lane's share of the band, and how high that is.
  const at_row = rows_are_all && row_count > many ? {
    band: Int32Array.from(rows.channel, (channel) => band_of.get(channel)),
    height: Float32Array.from(rows.channel, (channel) => 1 / machine.channels.capacity[channel]),
    lane: Float32Array.from(rows.lane, (lane, row) => Math.min(lane, machine.channels.capacity[rows.channel[row]] - 1)),
  } : null;

  // The same where there are many: pixel by pixel. What is followed comes last, over the others.
  function draw_many_rows(context, width, high) {
    const raster = new Raster(context, left, top, width - left, high - top);
    const [each, column] = [y(1) - y(0), x(2) - x(1)];
    const [from_x, from_y] = [x(0) - left, y(0) - top];
    const [first, end] = [first_row(Math.floor(x.invert(left))), first_row(Math.ceil(x.invert(width)) + 1)];
    const pixels = new Map();
    const pixel = (row, density) => {
      const key = key_of(row);
      if (!pixels.has(key)) pixels.set(key, pixel_of(series_colour(key), density));
      return pixels.get(key);
    };
    const marked = anything_marked();
    for (const wanted of marked ? [false, true] : [true]) {
      pixels.clear();
      for (let row = first; row < end; ++row) {
        if (marked && is_marked(row) !== wanted) continue;
        const slice = each * at_row.height[row];
        raster.fill(from_x + rows.step[row] * column, from_y + at_row.band[row] * each + at_row.lane[row] * slice, column, slice, pixel(row, wanted ? 1 : 0.15));
      }
    }
    raster.put();
  }

  function draw_cells(context, width, high) {
    const raster = new Raster(context, left, top, width - left, high - top);
    const span = x(1 + cells.steps_per_span) - x(1);
    const each = y(1) - y(0);
    const [from_x, from_y] = [x(1) - left, y(0) - top];
    const loads = amounts().map((hex) => pixel_of(hex, 1));
    bands.forEach((band, index) => {
      const lanes = band.channels.reduce((sum, channel) => sum + machine.channels.capacity[channel], 0);
      cells.count[band.line].forEach((count, number) => {
        if (count === 0) return;
        const room = Math.max(1, lanes * use.turns[number]);
        const phase = state.colour === "phase" ? cells.phase[band.line][number] : -1;
        const pixel = phase >= 0 ? pixel_of(series_colour(phase), 0.3 + 0.7 * Math.min(1, count / room)) : loads[load_class(count / room)];
        raster.fill(from_x + number * span, from_y + index * each, span, each, pixel);
      });
    });
    raster.put();
  }

  function outline(context) {
    const violation = violations[state.violation];
    context.strokeStyle = colour("violated");
    context.lineWidth = 2;
    for (const told of (violation && violation.rows) ?? []) {
      const band = band_of.get(channel_by_name.get(told.channel));
      if (band === undefined) continue;
      context.strokeRect(x(told.step) - 1, y(band) - 1, Math.max(4, x(2) - x(1)) + 1, Math.max(4, y(1) - y(0)) + 1);
    }
    context.strokeStyle = colour("focus");
    context.lineWidth = 1;
    context.strokeRect(x(state.step), top - 2, Math.max(2, x(2) - x(1)), context.canvas.height);
  }

  const canvas = canvas_of(height, "Space and time: channels over steps", (context, width, high) => {
    scales(width, high);
    context.save();
    context.beginPath();
    context.rect(left, top, width - left, high - top);
    context.clip();
    const in_sight = first_row(Math.ceil(x.invert(width)) + 1) - first_row(Math.floor(x.invert(left)));
    if (rows_are_all && in_sight > many) draw_many_rows(context, width, high);
    else if (rows_are_all) draw_rows(context, width, high);
    else {
      draw_cells(context, width, high);
      if (row_count > 0) draw_rows(context, width, high);
    }
    outline(context);
    context.restore();
    draw_grid(context, width, high);
  });
  zoomed(canvas, d3.zoom().scaleExtent([1, Math.max(20, last_step)]).on("zoom", ({ transform }) => {
    zoom = transform;
    canvas.repaint();
  }));

  // The rows, or the cell, under the pointer.
  function under(event) {
    const band = bands[Math.floor(y.invert(event.offsetY))];
    const step = Math.floor(x.invert(event.offsetX));
    if (band === undefined || step < 1 || step > last_step || event.offsetX < left) return null;
    const found = [];
    if (is_listed(step)) {
      for (let row = first_row(step); row < row_count && rows.step[row] === step; ++row) {
        if (band.channels.includes(rows.channel[row])) found.push(row);
      }
    }
    if (found.length > 1 && band.channels.length === 1) {
      const lanes = machine.channels.capacity[band.channels[0]];
      const lane = Math.floor((y.invert(event.offsetY) % 1) * lanes);
      const here = found.filter((row) => Math.min(rows.lane[row], lanes - 1) === lane);
      if (here.length > 0) return { band, step, found: here };
    }
    return { band, step, found };
  }
  canvas.addEventListener("mousemove", (event) => {
    const place = under(event);
    if (place === null) return show_tip(event, null);
    if (place.found.length > 0) return show_tip(event, place.found.slice(0, 4).map(row_text).join("\n"));
    if (cells !== null && place.band.line >= 0 && !is_listed(place.step)) return show_tip(event, counted_text(place.band.line, span_of(place.step)));
    return show_tip(event, `${channel_name(place.band.channels[0])}, ${unit} ${place.step}: nothing`);
  });
  canvas.addEventListener("mouseleave", (event) => show_tip(event, null));
  canvas.addEventListener("click", (event) => {
    const place = under(event);
    if (place === null) return;
    if (place.found.length === 0) return set({ ...nothing_marked, step: place.step });
    const row = place.found[0];
    set({ ...nothing_marked, packet: packet_name(row), lit: line_name(rows.place[row]), step: place.step });
  });
  watchers.push(canvas.repaint);
  return canvas;
}

parts.push({
  id: "time", title: "Space and time",
  wanted: () => machine !== null && use !== null && use.rows > 0,
  made: () => {
    const bands = bands_of().length;
    const canvas = time_canvas(Math.min(560, Math.max(160, 40 + bands * 14)));
    const buttons = [["+", 1.5], ["−", 1 / 1.5]].map(([label, factor]) => element("button", { type: "button", "aria-label": factor > 1 ? "zoom in" : "zoom out", onclick: () => d3.select(canvas).call(canvas.zoomer.scaleBy, factor) }, label));
    const legend = element("div", {});
    watchers.push(() => {
      const keys = new Set();
      for (let row = 0; row < row_count; ++row) keys.add(key_of(row));
      const legends = row_count > 0 ? [legend_of(keys)] : [];
      if (cells !== null && state.colour === "phase") {
        legends.unshift(legend_of(new Set(cells.phase.flat().filter((key) => key >= 0)), (key) => phase_name(cells.phases[key])));
      }
      legend.replaceChildren(...legends);
    });
    const counted = rows_are_all ? null : element("p", { class: "second" },
      `${as_count(use.rows)} rows are too many to be shown one by one: a cell is a count, as dark as its channels are full; colours by phase show the commonest of its rows.`);
    return [element("div", { class: "bar" }, ...buttons, element("button", { type: "button", onclick: () => d3.select(canvas).call(canvas.zoomer.transform, d3.zoomIdentity) }, "whole"),
      "the wheel zooms, dragging moves, a click follows a packet"), counted, canvas, legend];
  },
});
