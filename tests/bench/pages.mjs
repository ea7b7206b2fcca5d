// How long pages take to make, beside check alone, how large they are, and how many pictures a second space and time and
// the machine make while they are moved: the total exchange of 1,024 processors, and an irregular table of as many rows
// as are shown one by one.
//
//   node pages.mjs QUADRILLE BROWSER MODULES
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [program, browser_path, modules] = process.argv.slice(2);
const quadrille = resolve(program);
const puppeteer = (await import(pathToFileURL(createRequire(join(resolve(modules), "x")).resolve("puppeteer-core")))).default;
const folder = mkdtempSync(join(tmpdir(), "quadrille-pages-"));

// The least of three, in seconds.
function seconds(...words) {
  const times = [1, 2, 3].map(() => {
    const before = performance.now();
    spawnSync(quadrille, words, { cwd: folder });
    return (performance.now() - before) / 1000;
  });
  return Math.min(...times);
}

// Rows by a fixed generator: any channel, any step, any packet.
function irregular() {
  let seed = 1;
  const below = (bound) => {
    seed = (seed * 48271) % 2147483647;
    return seed % bound;
  };
  const lines = ["# quadrille-table 1", "# fabric: torus:16x16", "# collective: total_exchange", "step,from,to,lane,origin,target,part"];
  for (let i = 0; i < 199_000; ++i) {
    const [x, y, way] = [below(16), below(16), below(4)];
    const [to_x, to_y] = [[x, (y + 1) % 16], [x, (y + 15) % 16], [(x + 1) % 16, y], [(x + 15) % 16, y]][way];
    const origin = below(256);
    lines.push([1 + below(900), 16 * x + y, 16 * to_x + to_y, 0, origin, (origin + 1 + below(255)) % 256, 0].join(","));
  }
  return lines.join("\n") + "\n";
}

writeFileSync(join(folder, "irregular.csv"), irregular());
const browser = await puppeteer.launch({ executablePath: browser_path, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
for (const words of [["total_exchange", "-D", "L=10"], ["irregular.csv"]]) {
  const alone = seconds("check", ...words);
  const with_page = seconds("check", ...words, "--page", "page.html");
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  const before = performance.now();
  await page.goto(pathToFileURL(join(folder, "page.html")).href);
  await page.waitForSelector("html[data-ready]");
  const opened = (performance.now() - before) / 1000;
  const rate = (selector) => page.evaluate((where) => new Promise((done) => {
    const canvas = document.querySelector(where);
    canvas.scrollIntoView();
    const pictures = 60;
    const begin = performance.now();
    let count = 0;
    const frame = () => {
      const box = canvas.getBoundingClientRect();
      canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: count % 40 < 20 ? -40 : 40, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, cancelable: true }));
      canvas.repaint_now();
      if (++count < pictures) requestAnimationFrame(frame);
      else done(pictures / ((performance.now() - begin) / 1000));
    };
    requestAnimationFrame(frame);
  }), selector);
  const time = await rate("#part-time canvas");
  const machine = await rate("#machine-view canvas");
  console.log(`${words.join(" ")}: check ${alone.toFixed(2)} s, with a page ${with_page.toFixed(2)} s (${(with_page / alone).toFixed(2)} times), ${(statSync(join(folder, "page.html")).size / 1e6).toFixed(2)} MB, ` +
    `opened in ${opened.toFixed(2)} s; pictures a second: space and time ${time.toFixed(0)}, machine ${machine.toFixed(0)}`);
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
