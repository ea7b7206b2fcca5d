// The texts of the schedule: lines that send are marked, a click on one follows its sends.

parts.push({
  id: "text", title: "The schedule",
  wanted: () => texts.length > 0 && rows !== null && rows.places.length > 0,
  made: () => texts.map(({ name, text }) => {
    const sending = new Map();
    rows.places.forEach((place, number) => { if (place.file === name) sending.set(place.line, line_name(number)); });
    const lines = text.replace(/\n$/, "").split("\n").map((line, index) => {
      const place = sending.get(index + 1);
      const made = element("div", place === undefined ? { "data-line": index + 1 } : {
        class: "sends", "data-line": index + 1, tabindex: "0", role: "button",
        onclick: () => set({ ...nothing_marked, line: state.line === place ? null : place }),
        onkeydown: (event) => { if (event.key === "Enter") made.click(); },
      }, line === "" ? " " : line);
      if (place === undefined) return made;
      watchers.push(() => {
        const violation = violations[state.violation];
        made.classList.toggle("chosen", state.line === place || (state.packet !== null && state.lit === place));
        made.classList.toggle("bad", ((violation && violation.rows) ?? []).some((told) => told.source && told.source.file === name && told.source.line === index + 1));
      });
      return made;
    });
    return element("div", {}, texts.length > 1 ? element("h3", {}, name) : null, element("div", { class: "source scroll mono" }, ...lines));
  }),
});
