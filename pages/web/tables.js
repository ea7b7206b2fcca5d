// What is left of an outcome that no picture shows: single values, and lists of objects as tables, so that every page
// has all of what its command has found.

const pictured = new Set(["properties", "violations", "table_rows", "findings", "waits", "history", "bounds", "obligations", "algorithms"]);

function single(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return String(value);
  return JSON.stringify(value);
}

parts.push({
  id: "all", title: "Everything that is known",
  wanted: () => true,
  made: () => {
    const is_list = (value) => Array.isArray(value) && value.length > 0 && typeof value[0] === "object" && value[0] !== null && !Array.isArray(value[0]);
    const left = Object.entries(outcome).filter(([key]) => !pictured.has(key));
    const plain = left.filter(([, value]) => !is_list(value));
    const lists = left.filter(([, value]) => is_list(value));
    return [
      element("details", {}, element("summary", {}, "single values"), table_of("", ["", ""], plain.map(([key, value]) => [key, single(value)]))),
      ...lists.map(([key, list]) => element("details", {}, element("summary", {}, `${key} (${list.length})`),
        element("div", { class: "scroll" }, table_of(key, Object.keys(list[0]), list.slice(0, 1000).map((each) => Object.keys(list[0]).map((name) => single(each[name]))))))),
    ];
  },
});
