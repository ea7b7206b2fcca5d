// Puts the parts onto the page, in their order, and shows what the address asks for.

const page = document.getElementById("page");
document.body.append(tip);
for (const part of parts) {
  if (!part.wanted()) continue;
  const made = part.made().filter((each) => each !== null && each !== undefined);
  page.append(element("section", { id: `part-${part.id}`, "aria-label": part.title ?? part.id }, part.title === null ? null : element("h2", {}, part.title), ...made));
}
if (about.command !== "") document.querySelector("header").append(element("p", { class: "second" }, element("code", {}, about.command)));
addEventListener("hashchange", read_address);
read_address();
document.documentElement.dataset.ready = "yes";
