// What every part of the page needs: its data, elements, colours. Nothing here judges anything: the numbers are those
// of the outcome.
"use strict";

function block(id) {
  const element = document.getElementById(id);
  return element === null ? null : JSON.parse(element.textContent);
}

const about = block("about");
const outcome = block("outcome");
const machine = block("machine");
const rows = block("rows");
const cells = block("cells");
const use = block("use");
const texts = block("sources") ?? [];

const unit = machine !== null && machine.timing === "rounds" ? "round" : "step";

// element("td", {class: "holds", onclick: f}, "text", another): attributes that are null are left out.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A table for those who read instead of look: `lines` are lists of cells, or {cells, attributes}.
function table_of(caption, heads, lines) {
  const body = lines.map((line) => {
    const { cells: values, attributes } = Array.isArray(line) ? { cells: line, attributes: {} } : line;
    return element("tr", attributes, ...values.map((value) => element("td", {}, value ?? "–")));
  });
  return element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...body));
}

// M. Okabe, K. Ito: Color Universal Design (2008). Vermilion is for what is violated alone.
const series = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#F0E442", "#999999"];
const amounts_light = ["#DDDDDD", "#9ECAE1", "#4292C6", "#08519C", "#041E42"];
const amounts_dark = ["#333940", "#1F4E79", "#2F7FBF", "#6DB5E8", "#D6EEFF"];
const is_dark = matchMedia("(prefers-color-scheme: dark)");
const amounts = () => (is_dark.matches ? amounts_dark : amounts_light);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const series_colour = (index) => (index < 0 ? "#888888" : series[index % series.length]);

// 0: nothing; 1 to 4: up to a quarter, half, three quarters, all.
const load_class = (part) => (part <= 0 ? 0 : Math.min(4, Math.max(1, Math.ceil(part * 4))));

// Rectangles that are too many for the canvas's own: filled pixel by pixel, and put onto it in one go. Positions are in
// CSS pixels from its corner; what lies outside is cut off.
class Raster {
  constructor(context, left, top, width, height) {
    Object.assign(this, { context, left, top, sharp: context.getTransform().a });
    [this.width, this.height] = [Math.max(1, Math.round(width * this.sharp)), Math.max(1, Math.round(height * this.sharp))];
    this.image = context.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // At least one pixel. `pixel`: as pixel_of() gives it.
  fill(x, y, width, height, pixel) {
    const first_x = Math.max(0, Math.floor(x * this.sharp));
    const first_y = Math.max(0, Math.floor(y * this.sharp));
    const end_x = Math.min(this.width, Math.max(first_x + 1, Math.floor((x + width) * this.sharp)));
    const end_y = Math.min(this.height, Math.max(first_y + 1, Math.floor((y + height) * this.sharp)));
    if ((x + width) < 0 || (y + height) < 0) return;
    for (let line = first_y; line < end_y; ++line) {
      const begin = line * this.width;
      for (let at = begin + first_x; at < begin + end_x; ++at) this.pixels[at] = pixel;
    }
  }

  put() {
    this.context.putImageData(this.image, Math.round(this.left * this.sharp), Math.round(this.top * this.sharp));
  }
}

// "#rrggbb" and how dense it is, 0 to 1, as a number of four bytes.
function pixel_of(hex, density) {
  const code = Number.parseInt(hex.slice(1), 16);
  return (((code & 255) << 16) | (code & 0xff00) | (code >> 16) | (Math.round(255 * density) << 24)) >>> 0;
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const as_count = (count) => count.toLocaleString("en");

// The one tooltip of the page.
const tip = element("div", { class: "tip", hidden: true, role: "tooltip" });
function show_tip(event, text) {
  tip.hidden = text === null;
  if (text === null) return;
  tip.textContent = text;
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - 430)}px`;
  tip.style.top = `${event.clientY + 14}px`;
}

// A canvas that is as sharp as the screen, painted at most once a frame: paint(context, width, height), in CSS pixels.
function canvas_of(height, label, paint) {
  const canvas = element("canvas", { height, role: "img", tabindex: "0", "aria-label": label });
  canvas.style.height = `${height}px`;
  let waiting = false;
  const now = () => {
    waiting = false;
    const width = canvas.clientWidth;
    if (width === 0) return;
    const sharp = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * sharp)) canvas.width = Math.round(width * sharp);
    if (canvas.height !== Math.round(height * sharp)) canvas.height = Math.round(height * sharp);
    const context = canvas.getContext("2d");
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.clearRect(0, 0, width, height);
    paint(context, width, height);
  };
  canvas.repaint = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(now);
  };
  canvas.repaint_now = now;
  new ResizeObserver(canvas.repaint).observe(canvas);
  is_dark.addEventListener("change", canvas.repaint);
  return canvas;
}

// The wheel and dragging zoom and move it, and so do the keys + and -.
function zoomed(canvas, zoomer) {
  canvas.zoomer = zoomer;
  d3.select(canvas).call(zoomer);
  canvas.addEventListener("keydown", ({ key }) => {
    if (key === "+" || key === "-") d3.select(canvas).call(zoomer.scaleBy, key === "+" ? 1.5 : 1 / 1.5);
  });
}

// A part of the page: parts.push({id, title, wanted: () => …, made: () => elements}).
const parts = [];
