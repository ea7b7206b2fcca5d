// Opens pages of every kind in a browser, without a network, and looks at them as a person does: what the first screen
// says, what clicks and addresses show, that the numbers are those of --json, and that the console stays silent.
//
//   node pages.mjs QUADRILLE BROWSER MODULES [CASE…]
//
// MODULES holds puppeteer-core. Prints a line for each case; ends with 1 if any fails, with 77 if there is no browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [program, browser_path, modules, ...wanted] = process.argv.slice(2);
const quadrille = resolve(program);
const puppeteer = (await import(pathToFileURL(createRequire(join(resolve(modules), "x")).resolve("puppeteer-core")))).default;
const folder = mkdtempSync(join(tmpdir(), "quadrille-pages-"));

// Text files that the cases read.
const files = {
  "fast.qd": "fabric fat_tree(levels: 2)\ncollective total_exchange\nfor k in processors, d in 1..3:\n  at d: send k -> k xor d\n",
};

// Makes a page; gives what --json printed beside it.
function make(name, ...words) {
  const run = spawnSync(quadrille, [...words, "--json", "--page", name], { cwd: folder, encoding: "utf8" });
  assert.ok(run.status !== 2, `${words.join(" ")}: ${run.stderr}`);
  return run.stdout;
}

// Where no browser can be started, nothing is tested, and that is told by the status 77.
const browser = await puppeteer.launch({
  executablePath: browser_path, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"],
}).catch((error) => {
  console.log(`skipped: the browser does not start: ${error.message}`);
  rmSync(folder, { recursive: true });
  process.exit(77);
});

// Opens it; whatever the console says, and whatever is asked of the network, is a fault.
async function open(name, hash = "", scheme = "light") {
  const page = await browser.newPage();
  page.faults = [];
  page.on("console", (message) => page.faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) page.faults.push(`request: ${request.url().slice(0, 80)}`); });
  await page.setViewport({ width: 1280, height: 800 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(join(folder, name)).href + hash);
  await page.waitForSelector("html[data-ready]", { timeout: 120000 });
  await painted(page);
  return page;
}

const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function shut(page) {
  assert.deepEqual(page.faults, []);
  await page.close();
}

const json_in = (page, id) => page.evaluate((name) => JSON.parse(document.getElementById(name).textContent), id);

// The share of the pixels of a canvas that have about that colour.
function share_of(page, selector, red, green, blue) {
  return page.evaluate((where, want) => {
    const canvas = document.querySelector(where);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 128 && want.every((value, k) => Math.abs(data[i + k] - value) < 24)) ++found;
    }
    return found / (data.length / 4);
  }, selector, [red, green, blue]);
}
const vermilion = [213, 94, 0];

// What stands on the first screen, without a click: rows that the violation names, the sentence, the picture.
function first_screen(page) {
  return page.evaluate(() => {
    const in_sight = (element) => {
      const box = element.getBoundingClientRect();
      return box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth && box.width > 0;
    };
    const shown = (selector) => [...document.querySelectorAll(selector)].filter(in_sight);
    return {
      verdict: shown("#said").map((each) => each.textContent).join(),
      what: shown("#what").map((each) => each.textContent).join(),
      where: shown("#where").map((each) => each.textContent).join(),
      rows: shown(".row[data-violation]").map((each) => ({ ...each.dataset, text: each.textContent })),
      picture: shown("#machine-view canvas").length,
      time: shown("#machine-view output").map((each) => each.textContent).join(),
    };
  });
}

// Each with a table or a schedule that violates this property first.
const violated = JSON.parse(readFileSync(new URL("violated.json", import.meta.url), "utf8"));

// The machine of fast.qd, coarsely: where there is ink. Fonts differ a little from machine to machine.
const remembered = [
  "................................",
  "................................",
  "..............####..............",
  "................................",
  "................................",
  "....................###.........",
  "............#...................",
  "..........##........##..........",
  "................................",
  "........##............##........",
  "........##............##........",
  "................................",
  "........#..............#........",
  "..........#..........#..........",
  "......................##........",
  ".......#................#.......",
  "...........#........#...........",
  "................................",
  ".....#....................#.....",
  "................................",
];

const cases = {
  async "every kind of page opens, silently, and holds what --json prints"() {
    for (const words of [
      ["check", "fast.qd"], ["check", "total_exchange", "-D", "L=3"], ["check", "allreduce_ring", "-D", "N=5"],
      ["replay", "total_exchange", "-D", "L=2"], ["replay", "--pattern", "transpose", "--on", "torus:4x4"],
      ["search", "--collective", "broadcast", "--on", "ring:5"], ["search", "--collective", "allgather", "--on", "ring:4", "--pareto"],
      ["compare", "--collective", "allgather", "--on", "ring:5", "--size", "1KiB,64KiB,1MiB"],
      ["prove", "allreduce_ring"], ["prove", "fast.qd"], ["prove", "allreduce_ring", "--sizes", "2..4"],
      ["check", "total_exchange", "-D", "L=8"],
    ]) {
      const printed = JSON.parse(make("kind.html", ...words));
      for (const scheme of ["light", "dark"]) {
        const page = await open("kind.html", "", scheme);
        assert.deepEqual(await json_in(page, "outcome"), printed);
        assert.ok(await page.evaluate(() => document.querySelectorAll("section").length) >= 2, words.join(" "));
        await shut(page);
      }
    }
  },

  async "the first screen of a violated schedule says what collides, when and where, with both lines"() {
    for (const [property, { text, words }] of Object.entries(violated)) {
      writeFileSync(join(folder, "mutant.qd"), text.join("\n") + "\n");
      const printed = JSON.parse(make("mutant.html", "check", "mutant.qd", ...words));
      assert.equal(printed.properties[property].verdict, "violated", property);
      const index = printed.violations.findIndex((each) => each.property === property);
      const page = await open("mutant.html", `#violation=${index}`);
      const seen = await first_screen(page);
      const said = printed.violations[index];
      assert.equal(seen.what, `${property}: ${said.message}`);
      assert.match(seen.verdict, /violated|holds/);
      if (said.step !== null) assert.ok(seen.where.includes(`step ${said.step}`), `${property}: ${seen.where}`);
      if (said.channel !== null) assert.ok(seen.where.includes(said.channel), `${property}: ${seen.where}`);
      assert.equal(seen.picture, 1);
      const rows = said.rows.slice(0, 6);
      if (rows.length > 0) assert.equal(seen.rows.length, rows.length, property);
      rows.forEach((row, i) => {
        assert.equal(seen.rows[i].packet, row.chunk);
        assert.ok(seen.rows[i].text.includes(row.channel));
        if (row.source === null) return;
        assert.equal(seen.rows[i].line, String(row.source.line));
        for (const [name, value] of Object.entries(row.source.variables)) assert.ok(seen.rows[i].text.includes(`${name} = ${value}`));
      });
      const step = said.step === 0 ? 1 : said.step ?? (rows.length > 0 ? rows[rows.length - 1].step : 1);
      assert.equal(seen.time, `step ${step} of ${printed.steps}`);
      if (rows.length > 0) assert.ok(await share_of(page, "#machine-view canvas", ...vermilion) > 0.0005, `${property}: nothing is marked`);
      await shut(page);
    }
  },

  async "without an address the earliest violation is shown"() {
    const printed = JSON.parse(make("fast.html", "check", "fast.qd"));
    const page = await open("fast.html");
    const seen = await first_screen(page);
    const earliest = Math.min(...printed.violations.map(({ step }) => step ?? Infinity));
    assert.ok(seen.where.includes(`step ${earliest}`));
    assert.equal(seen.rows.length, 2);
    await shut(page);
  },

  async "addresses open their state, and the buttons, keys and lines change it"() {
    make("fast.html", "check", "fast.qd");
    const page = await open("fast.html", "#step=2");
    const table = () => page.evaluate(() => [...document.querySelectorAll("#part-verdict tbody tr[data-packet]")].map((row) => ({ ...row.dataset })));
    const rows = await json_in(page, "rows");
    const expected = (step) => rows.step.filter((each) => each === step).length;
    assert.equal((await table()).length, expected(2));
    await page.click("button[title='forwards']");
    assert.equal((await table()).length, expected(3));
    assert.match(await page.evaluate(() => location.hash), /step=3/);
    await page.keyboard.press("ArrowLeft");
    assert.equal((await table())[0].step, "2");
    const packet = rows.chunks[0];
    await page.goto(`${page.url().split("#")[0]}#step=1&packet=${packet}`);
    await painted(page);
    const followed = await table();
    assert.ok(followed.length >= 1 && followed.every((row) => row.packet === packet));
    await page.click("#part-text .sends");
    await painted(page);
    assert.match(await page.evaluate(() => location.hash), /line=4/);
    assert.ok((await table()).every((row) => row.line === "4"));
    await shut(page);
  },

  async "a click in space and time follows the packet that is there"() {
    make("exchange.html", "check", "total_exchange", "-D", "L=2");
    const page = await open("exchange.html");
    const canvas = await page.$("#part-time canvas");
    await canvas.scrollIntoView();
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + 130, box.y + 30);
    assert.match(await page.evaluate(() => document.querySelector(".tip").textContent), /^packet \d->\d, step 1\nchannel 0->1\.0, lane 0\nline \d+: /);
    await page.mouse.click(box.x + 130, box.y + 30);
    const hash = decodeURIComponent(await page.evaluate(() => location.hash));
    assert.match(hash, /packet=0->\d/);
    assert.ok(await page.evaluate(() => document.querySelectorAll("#part-text .chosen").length) >= 1);
    await shut(page);
  },

  async "playing goes through time to its end"() {
    make("play.html", "check", "total_exchange", "-D", "L=2");
    const page = await open("play.html", "#step=5");
    await page.click("button[title='play']");
    await page.waitForFunction(() => document.querySelector("#machine-view output").textContent.startsWith("step 6"), { timeout: 120000 });
    await page.waitForFunction(() => document.querySelector("button[title='play']") !== null, { timeout: 120000 });
    await shut(page);
  },

  async "a picture looks the same each time, and as it did when someone last looked"() {
    make("fast.html", "check", "fast.qd");
    const coarse = async () => {
      const page = await open("fast.html");
      const grid = await page.evaluate(() => {
        const from = document.querySelector("#machine-view canvas");
        const small = document.createElement("canvas");
        [small.width, small.height] = [32, 20];
        const context = small.getContext("2d");
        context.fillStyle = "white";
        context.fillRect(0, 0, 32, 20);
        context.drawImage(from, 0, 0, 32, 20);
        const { data } = context.getImageData(0, 0, 32, 20);
        return Array.from({ length: 20 }, (_, y) => Array.from({ length: 32 }, (_, x) => (data[4 * (32 * y + x)] + data[4 * (32 * y + x) + 1] + data[4 * (32 * y + x) + 2] < 720 ? "#" : ".")).join(""));
      });
      await shut(page);
      return grid;
    };
    const first = await coarse();
    assert.deepEqual(await coarse(), first);
    const before = remembered.join("");
    const differ = [...first.join("")].filter((cell, i) => cell !== before[i]).length;
    assert.ok(differ <= 64, `${differ} of 640 cells differ:\n${first.join("\n")}`);
  },

  async "a program's page draws what orders its operations, marks a race, and stands the mend beside it"() {
    const golden = readFileSync(new URL("../golden/check_msccl.txt", import.meta.url), "utf8");
    writeFileSync(join(folder, "ring.xml"), golden.split("--- file ring.xml\n")[1].split("\n--- ")[0] + "\n");
    const printed = JSON.parse(make("ring.html", "check", "ring.xml", "--mend", "mended.xml"));
    assert.equal(printed.properties.race.verdict, "violated");
    const page = await open("ring.html");
    const program = await json_in(page, "program");
    const listed = JSON.parse(spawnSync(quadrille, ["check", "ring.xml", "--json", "--operations"], { cwd: folder, encoding: "utf8" }).stdout);
    assert.deepEqual(program.operations, listed.operations);
    assert.deepEqual(program.edges, listed.edges);
    assert.equal(await page.evaluate(() => document.querySelectorAll("#part-program canvas").length), 2);
    const canvas = await page.$("#part-program canvas");
    await canvas.scrollIntoView();
    await painted(page);
    assert.ok(await share_of(page, "#part-program canvas", ...vermilion) > 0.0005);
    const finding = printed.findings[0];
    const row = await page.evaluate(() => ({ ...document.querySelector("#part-program .row[data-violation='0']").dataset }));
    assert.equal(row.line, String(finding.at.line));
    assert.ok(await page.evaluate(() => document.querySelectorAll("#part-program tr[data-violation]").length) >= 2);
    await shut(page);
  },

  async "a schedule in GOAL that hangs has its cycle of waits on its page"() {
    const golden = readFileSync(new URL("../golden/check_goal.txt", import.meta.url), "utf8");
    writeFileSync(join(folder, "cycle.goal"), golden.split("--- file cycle.goal\n")[1].split("\n--- ")[0] + "\n");
    const printed = JSON.parse(make("cycle.html", "check", "cycle.goal"));
    assert.equal(printed.verdict, "violated");
    const page = await open("cycle.html");
    assert.equal(await page.evaluate(() => document.querySelectorAll("#part-program .row").length), printed.findings.length + printed.waits.length);
    assert.ok(await share_of(page, "#part-program canvas", ...vermilion) > 0.0005);
    await shut(page);
  },

  async "an MSCCL++ plan has its findings on its page, with their operations"() {
    copyFileSync(new URL("../programs/plans/out_of_range.json", import.meta.url), join(folder, "out_of_range.json"));
    const printed = JSON.parse(make("plan.html", "check", "out_of_range.json"));
    assert.equal(printed.verdict, "violated");
    const page = await open("plan.html");
    const rows = await page.evaluate(() => [...document.querySelectorAll("#part-program .row")].map((row) => row.textContent));
    assert.equal(rows.length, printed.findings.length + printed.waits.length);
    assert.ok(rows[0].includes(`gpu 1, block 0, ${printed.findings[0].at.operation}`));
    await shut(page);
  },

  async "an MSCCL++ plan's page draws its operations and their order, and marks a race"() {
    copyFileSync(new URL("../programs/plans/missing_nop.json", import.meta.url), join(folder, "missing_nop.json"));
    const printed = JSON.parse(make("ordered.html", "check", "missing_nop.json"));
    assert.equal(printed.properties.race.verdict, "violated");
    const page = await open("ordered.html");
    const program = await json_in(page, "program");
    const listed = JSON.parse(spawnSync(quadrille, ["check", "missing_nop.json", "--json", "--operations"], { cwd: folder, encoding: "utf8" }).stdout);
    assert.equal(program.operations.length, printed.operations);
    assert.deepEqual(program.operations, listed.operation_list);
    assert.deepEqual(program.edges, listed.edges);
    assert.ok(program.edges.some((edge) => edge.why === "message"));
    const canvas = await page.$("#part-program canvas");
    await canvas.scrollIntoView();
    await painted(page);
    assert.ok(await share_of(page, "#part-program canvas", ...vermilion) > 0.0001);  // one small box
    await shut(page);
  },

  async "a comparison draws time over size, and tells where another algorithm becomes the best"() {
    const printed = JSON.parse(make("compare.html", "compare", "--collective", "allreduce", "--on", "complete:8,ports=single", "--size", "8,1KiB,64KiB,1MiB,16MiB"));
    const changes = printed.by_size.length - 1;
    assert.ok(changes >= 1);
    const page = await open("compare.html");
    const crossed = await page.evaluate(() => [...document.querySelectorAll("#part-comparison table")].find((each) => each.caption.textContent.startsWith("where")).tBodies[0].rows.length);
    assert.equal(crossed, changes);
    assert.equal(await page.evaluate(() => document.querySelector("#part-comparison .small table").tBodies[0].rows.length), printed.algorithms.length);
    await shut(page);
  },

  async "a search shows its history, and a proof its theorem, its invariants and what refutes it"() {
    const found = JSON.parse(make("search.html", "search", "--collective", "allgather", "--on", "ring:5"));
    const search = await open("search.html");
    assert.equal(await search.evaluate(() => document.querySelector("#part-history table").tBodies[0].rows.length), found.history.length);
    assert.equal(await search.evaluate(() => document.querySelectorAll("#machine-view canvas").length), 1);
    await shut(search);
    const proved = JSON.parse(make("prove.html", "prove", "allreduce_ring"));
    const proof = await open("prove.html");
    assert.equal(await proof.evaluate(() => document.querySelector("#theorem").textContent), proved.theorem);
    const text = await proof.evaluate(() => document.querySelector("#part-proof").textContent);
    for (const { text: invariant } of proved.invariants) assert.ok(text.includes(invariant));
    await shut(proof);
    const refuted = JSON.parse(make("refuted.html", "prove", "fast.qd"));
    const refutation = await open("refuted.html");
    const shown = await refutation.evaluate(() => document.querySelectorAll("#part-proof > .row").length);
    assert.equal(shown, refuted.obligations.filter(({ counterexample }) => counterexample).length);
    await shut(refutation);
  },

  async "a report shows what replaying measures, and routed messages their delays"() {
    const run = spawnSync(quadrille, ["report", "total_exchange", "-D", "L=3", "--on", "torus:2x4", "--retime", "--no-claims", "-o", "report.html"], { cwd: folder, encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    const report = await open("report.html");
    const replay = await json_in(report, "replay");
    const text = await report.evaluate(() => document.querySelector("#part-replay").textContent);
    assert.ok(text.includes(`${replay.delivered} of ${replay.demanded}`));
    for (const { channel } of replay.busiest_links) assert.ok(text.includes(channel));
    await shut(report);
    make("traffic.html", "replay", "--pattern", "transpose", "--on", "torus:4x4");
    const traffic = await open("traffic.html");
    assert.equal(await traffic.evaluate(() => document.querySelectorAll("#part-delays canvas").length), 1);
    await shut(traffic);
  },

  async "names that look like elements are shown as text"() {
    const name = "</script><img src=x onerror=alert(1)>.qd";
    writeFileSync(join(folder, "evil.qd"), files["fast.qd"]);
    const run = spawnSync(quadrille, ["check", "-", "--page", "evil.html"], { cwd: folder, input: files["fast.qd"].replace("fabric", `// ${name}\nfabric`), encoding: "utf8" });
    assert.equal(run.status, 1);
    const page = await open("evil.html");
    assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
    assert.ok((await page.evaluate(() => document.querySelector("#part-text").textContent)).includes(name));
    await shut(page);
  },
};

for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  try {
    await run();
    console.log(`ok: ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed === 0 ? 0 : 1);
