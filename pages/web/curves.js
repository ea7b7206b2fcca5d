// Comparisons: time over the size of a message, both axes logarithmic, with the least that any schedule takes and the
// sizes from which on another algorithm is best; or, without sizes, steps beside their bounds. And the frontier of a
// search: volume over steps.

// lines: {name, points: [[x, y]…], dashed, dots}. Names are shown below the picture.
function chart(label, x_name, y_name, lines, log) {
  const height = 300;
  const left = 70;
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const ys = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const span = (values, room) => {
    const [least, most] = d3.extent(values);
    if (!log) return [Math.min(0, least), most * 1.05 + (most === 0 ? 1 : 0)];
    return least === most ? [least / 2, most * 2] : [least / room, most * room];
  };
  const canvas = canvas_of(height, label, (context, width) => {
    const kind = log ? d3.scaleLog : d3.scaleLinear;
    const x = kind(span(xs, 1.15), [left, width - 12]);
    const y = kind(span(ys, 1.3), [height - 34, 10]);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colour("second");
    const ticks = (scale, count) => (log ? scale.ticks(count).filter((each) => Number.isInteger(Math.log10(each)) || scale.ticks(count).length < 8) : scale.ticks(count));
    for (const tick of ticks(y, 6)) {
      context.fillText(y_name.format(tick), 4, y(tick) + 4);
      context.fillRect(left, y(tick), width - left - 12, 0.4);
    }
    for (const tick of ticks(x, 8)) {
      context.textAlign = "center";
      context.fillText(x_name.format(tick), x(tick), height - 18);
      context.fillRect(x(tick), height - 34, 0.6, 4);
    }
    context.fillText(x_name.name, (left + width) / 2, height - 4);
    context.textAlign = "start";
    lines.forEach(({ points, dashed, dots }, index) => {
      context.strokeStyle = dashed ? colour("ink") : series_colour(index);
      context.fillStyle = context.strokeStyle;
      context.lineWidth = dashed ? 1.5 : 2;
      context.setLineDash(dashed ? [5, 4] : index < series.length ? [] : [8, 2]);
      context.beginPath();
      if (!dots) for (const [at_x, at_y] of points) context.lineTo(x(at_x), y(at_y));
      context.stroke();
      context.setLineDash([]);
      for (const [at_x, at_y] of points) context.fillRect(x(at_x) - 2.5, y(at_y) - 2.5, 5, 5);
    });
  });
  const legend = element("div", { class: "legend" }, ...lines.map(({ name, dashed }, index) => {
    const sample = element("i", {});
    sample.style.background = dashed ? colour("ink") : series_colour(index);
    return element("span", {}, sample, name);
  }));
  return element("div", {}, canvas, legend);
}

const as_bytes = { name: "bytes of a message", format: (bytes) => d3.format("~s")(bytes) };
const as_seconds = { name: "time", format: (seconds) => `${d3.format("~s")(seconds)}s` };
const as_steps = { name: "steps", format: (steps) => d3.format("~r")(steps) };

// [one, the next, the size up to which the one is best], for each range of sizes but the last.
const crossings = () => outcome.by_size.slice(0, -1).map((each, i) => [each.name, outcome.by_size[i + 1].name, `${d3.format(".3~s")(each.up_to)}B`]);

// The row of a schedule that is best at some size: of several choices it has but one name.
const row_of = (name) => outcome.algorithms.find(({ choices }) => choices.some((each) => each !== null && each.name === name)).name;

function compared_in_time() {
  const { sizes, algorithms, at_least: least } = outcome;
  const timed = algorithms.filter(({ seconds }) => seconds.some((each) => each !== null));
  const named = new Map(timed.map((each) => [each.name, each]));
  const alike = d3.group([...new Set([...outcome.best.filter((name) => name !== null).map(row_of), ...named.keys()])], (name) => JSON.stringify(named.get(name).seconds));
  const chosen = [...alike.values()].slice(0, series.length);
  const lines = chosen.map((names) => ({ name: names.join(", "), points: named.get(names[0]).seconds.map((each, i) => [sizes[i], each]).filter(([, each]) => each !== null) }));
  if (least && least.some((each) => each > 0)) lines.push({ name: "no schedule takes less", dashed: true, points: least.map((each, i) => [sizes[i], each]).filter(([, each]) => each > 0) });
  const crossed = crossings();
  return [chart("Time over the size of a message", as_bytes, as_seconds, lines, true),
    alike.size > chosen.length ? element("p", { class: "second" }, `${chosen.length} of ${alike.size} curves; the table has all`) : null,
    crossed.length > 0 ? table_of("where another one becomes the best", ["up to there", "from there on", "at about"], crossed) : null];
}

parts.push({
  id: "comparison", title: "Comparison",
  wanted: () => about.kind === "compare" && outcome.algorithms.length > 0,
  made: () => {
    const some = outcome.sizes.length > 0 && outcome.algorithms.some(({ seconds }) => seconds.some((each) => each !== null));
    const stepped = outcome.algorithms.filter(({ steps }) => steps !== null);
    const number = (value) => (value === null ? null : as_count(value));
    const heads = ["algorithm", "chunks", "rounds", "volume", "load", "hops", "steps", "at least", ...outcome.sizes.map((size) => `${as_count(size)} B`)];
    const lines = outcome.algorithms.map((each) => [each.name, number(each.chunks), number(each.rounds), number(each.volume), each.load, number(each.hops), number(each.steps), number(each.lower_bound),
      ...each.seconds.map((seconds) => (seconds === null ? null : `${d3.format(".4~s")(seconds)}s`))]);
    return [...(some ? compared_in_time() : []),
      !some && stepped.length > 0 ? chart("Steps of each algorithm beside its bound", { name: "algorithm, best first", format: (i) => (Number.isInteger(i) && stepped[i] ? String(i + 1) : "") }, as_steps, [
        { name: "steps", dots: true, points: stepped.map(({ steps }, i) => [i, steps]) },
        { name: "lower bound", dots: true, dashed: true, points: stepped.filter(({ lower_bound: bound }) => bound !== null).map(({ lower_bound: bound }, i) => [i, bound]) }], false) : null,
      element("div", { class: "small" }, table_of("all that ships for it", heads, lines))];
  },
});

parts.push({
  id: "frontier", title: "Volume over steps",
  wanted: () => about.kind === "frontier" && outcome.points.some(({ volume }) => volume !== null),
  made: () => {
    const known = outcome.points.filter(({ volume }) => volume !== null);
    return [chart("The least volume for each number of steps", as_steps, { name: "volume", format: as_steps.format }, [
      { name: "volume found", points: known.map(({ steps, volume }) => [steps, volume]) },
      { name: "lower bound", dashed: true, points: known.filter(({ lower_bound: bound }) => bound !== null).map(({ steps, lower_bound: bound }) => [steps, bound]) }], false),
    table_of("points", ["steps", "volume", "verdict", "at least", "why"], outcome.points.map((each) => [each.steps, each.volume, each.verdict, each.lower_bound, each.reason]))];
  },
});

parts.push({
  id: "delays", title: "Delays of messages",
  wanted: () => about.kind === "traffic" && outcome.messages_by_delay.length > 0,
  made: () => [chart("Messages by delay", { name: "cycles from the first one to the delivery", format: as_steps.format }, { name: "messages", format: as_steps.format }, [
    { name: "messages", points: outcome.messages_by_delay.map((count, i) => [1 + i * outcome.cycles_per_bucket, count]) }], false)],
});
