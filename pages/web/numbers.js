// Numbers: the properties, steps beside their bounds, how full groups of channels are over time, and what waits.

function over_time(caption, lines, most, steps_per_span) {
  const height = 150;
  const left = 52;
  const canvas = canvas_of(height, caption, (context, width) => {
    const spans = Math.max(...lines.map(({ values }) => values.length), 1);
    const x = d3.scaleLinear([0, spans], [left, width - 6]);
    const y = d3.scaleLinear([0, most], [height - 20, 8]).nice();
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colour("second");
    context.strokeStyle = colour("faint");
    for (const tick of y.ticks(4)) {
      context.fillText(y.tickFormat(4)(tick), 4, y(tick) + 4);
      context.fillRect(left, y(tick), width - left, 0.5);
    }
    const steps = d3.scaleLinear([1, spans * steps_per_span + 1], [left, width - 6]);
    for (const tick of steps.ticks(8).filter(Number.isInteger)) context.fillText(tick, steps(tick), height - 6);
    lines.forEach(({ values }, index) => {
      context.strokeStyle = series_colour(index);
      context.lineWidth = 1.6;
      context.setLineDash(index < series.length ? [] : [4, 3]);
      context.beginPath();
      values.forEach((value, span) => {
        context.lineTo(x(span), y(value));
        context.lineTo(x(span + 1), y(value));
      });
      context.stroke();
    });
    context.setLineDash([]);
  });
  const legend = element("div", { class: "legend" }, ...lines.map(({ name }, index) => {
    const sample = element("i", {});
    sample.style.background = series_colour(index);
    return element("span", {}, sample, name);
  }));
  return element("div", {}, element("h3", {}, caption), canvas, legend);
}

function property_table() {
  const lines = Object.entries(outcome.properties).map(([name, result]) => {
    const found = result.violations ?? result.findings ?? 0;
    const word = typeof result === "string" ? result : result.verdict;
    const why = typeof result === "string" ? "" : result.why ?? "";
    return [name, element("span", { class: word }, word), found > 0 ? as_count(found) : "", why];
  });
  return table_of("properties", ["property", "verdict", "violated", "why"], lines);
}

function bound_table() {
  const lines = [["steps", "lower_bound", "lower_bound_reason"], ["volume", "volume_lower_bound", "volume_lower_bound_reason"]]
    .filter(([taken, least]) => typeof outcome[taken] === "number" && outcome[least] !== undefined)
    .map(([taken, least, why]) => [taken === "steps" ? `${unit}s` : taken, as_count(outcome[taken]), outcome[least] ?? "none", outcome[why] ?? ""]);
  return lines.length === 0 ? null : table_of("beside what any schedule needs", ["", "taken", "at least", "why"], lines);
}

parts.push({
  id: "numbers", title: "Numbers",
  wanted: () => Boolean(outcome.properties) || use !== null,
  made: () => {
    const made = [];
    if (violations.length > 0 || machine === null) {
      if (outcome.properties) made.push(property_table());
      made.push(bound_table());
    }
    if (use === null || use.rows === 0) return made;
    const shares = use.groups.filter(({ rows: carried }) => carried > 0).map(({ name, lanes, over_time: counts }) => ({
      name, values: counts.map((count, span) => count / Math.max(1, lanes * use.turns[span])),
    }));
    made.push(over_time(`How full links are, over ${unit}s (1: every lane)`, shares, Math.max(1, ...shares.flatMap(({ values }) => values)), use.steps_per_span));
    const waiting = use.queues.filter(({ largest }) => largest > 0).map(({ level, over_time: values }) => ({ name: `level ${level}`, values }));
    if (waiting.length > 0) made.push(over_time("The most packets that one switch buffers", waiting, Math.max(...waiting.flatMap(({ values }) => values)), use.steps_per_span));
    made.push(table_of("use of links", ["links", "lanes", "rows", "of all that they could carry"], use.groups.map(({ name, lanes, rows: carried }) =>
      [name, as_count(lanes), as_count(carried), d3.format(".1%")(carried / Math.max(1, lanes * d3.sum(use.turns)))])));
    return made;
  },
});

// What replaying measures beyond what is counted: of a page that has it beside a check, or is of it alone.
const replayed = about.kind === "replay" ? outcome : block("replay");

parts.push({
  id: "replay", title: "Replayed",
  wanted: () => replayed !== null,
  made: () => {
    const links = replayed.busiest_links ?? [];
    const words = [["verdict", replayed.verdict], ["delivered", `${as_count(replayed.delivered)} of ${as_count(replayed.demanded)}`],
      ["most packets in a switch", replayed.max_queue], ["most packets before a channel", replayed.max_channel_queue]];
    return [table_of("", ["", ""], words.filter(([, value]) => value !== undefined && value !== null)),
      links.length === 0 ? null : table_of("the busiest links", ["channel", "lanes", "rows"], links.map(({ channel, lanes, rows: carried }) => [channel, lanes, as_count(carried)]))];
  },
});
