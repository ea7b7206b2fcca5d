// The history of a search: the best schedule and the best bound, and when each became known.

parts.push({
  id: "history", title: "History of the search",
  wanted: () => Array.isArray(outcome.history) && outcome.history.length > 0,
  made: () => {
    const until = Math.max(outcome.seconds, ...outcome.history.map(({ seconds }) => seconds));
    const line = (event, name, dashed) => {
      const told = outcome.history.filter((each) => each.event === event && each.steps !== null);
      const points = [];
      told.forEach(({ seconds, steps }, i) => {
        if (i > 0) points.push([seconds, told[i - 1].steps]);
        points.push([seconds, steps]);
      });
      if (told.length > 0) points.push([until, told[told.length - 1].steps]);
      return { name, points, dashed };
    };
    const lines = [line("found", "found", false), line("bound", "no schedule takes fewer", true)].filter(({ points }) => points.length > 0);
    return [lines.length > 0 ? chart("Steps found and bounds, over time", { name: "seconds", format: d3.format("~r") }, as_steps, lines, false) : null,
      table_of("what became known", ["after", "", "steps", "how"], outcome.history.map(({ seconds, event, steps, how }) => [`${d3.format(".3~r")(seconds)} s`, event, steps, how]))];
  },
});

parts.push({
  id: "bounds", title: "Bounds",
  wanted: () => Array.isArray(outcome.bounds) && outcome.bounds.length > 0,
  made: () => [table_of("what counting says, largest first", ["bound", "at least", "why"], outcome.bounds.map(({ name, value, reason }) => [name, value, reason])),
    outcome.impossible ? element("p", {}, `Fewer than ${outcome.impossible.steps + 1} steps are too few: ${outcome.impossible.reason}`) : null],
});
