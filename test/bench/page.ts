import { linkOf } from "../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../src/browser/page/notebook.ts";
import { simulate } from "../../src/simulation/index.ts";
import { buildSite } from "../browser/build-once.ts";
import { readNotebook } from "../browser/page/notebooks.ts";
import { serveSite } from "../browser/page/site.ts";
import { startBrowser } from "../front-ends/browser.ts";
import { startFirefox } from "../front-ends/firefox.ts";
import { percentile, report } from "./measure.ts";
import { compiled } from "./simulation.ts";

const ROUNDS = 3;
const RUNS = 10;
const SHOTS = 100;
const EDITS = 8;
/** What the page waits after the last key before it looks for errors. */
const TYPING_PAUSE_MS = 200;
/** Between edits, after which no check is under way. */
const REST_MS = 1000;

const BELL = `import { qasm, run } from "ketbook";
await run(qasm\`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1]; bit[2] c = measure q;\`).shots(1000)`;

const WIDE = `OPENQASM 3.0; include "stdgates.inc"; qubit[20] q;
for int k in [1:20] { for int i in [0:19] { h q[i]; rz(0.1 * k) q[i]; } for int i in [0:18] cx q[i], q[i + 1]; }
bit[20] c = measure q;`;

/** Prints how much longer 20 qubits take than two, the fastest of some runs. */
const TIME_WIDE = `import { run } from "ketbook";
const fastest = async (program: string) => {
  const times: number[] = [];
  while (times.length < ${RUNS}) {
    const start = performance.now();
    await run(program).on("svc:svc:sim:statevector").shots(${SHOTS});
    times.push(performance.now() - start);
  }
  return Math.min(...times);
};
const two = await fastest(\`${WIDE.replace("qubit[20]", "qubit[2]").replace("[0:19]", "[0:1]").replace("[0:18]", "[0:0]").replace("bit[20]", "bit[2]").replace("[1:20]", "[1:1]")}\`);
console.log(await fastest(\`${WIDE}\`) - two);`;

/** A tab with nothing cached or stored. */
interface Tab {
  open(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

async function newChromiumTab(): Promise<Tab> {
  const browser = await startBrowser();
  const page = await browser.newPage();
  return {
    open: url => page.goto(url),
    evaluate: expression => page.evaluate(expression),
    close: () => browser.close(),
  };
}

/** Resolves, in the page, with its clock's time in milliseconds once an expression is true. */
const when = (expression: string) => `new Promise(resolve => {
  const look = () => (${expression}) ? resolve(performance.now()) : setTimeout(look, 2);
  look();
})`;
const RUN = `document.querySelector('[aria-label="Run all cells"]')`;
const BAR = `document.querySelector("#bar")`;

async function measure(tab: Tab, url: string): Promise<Record<string, number>> {
  const time = async (expression: string) => Number(await tab.evaluate(when(expression)));
  const start = async () => {
    await time(`${RUN} && document.querySelector(".cell.code")`);
    return Number(await tab.evaluate(`(${RUN}.click(), performance.now())`));
  };
  const idle = `!${BAR}.classList.contains("busy")`;

  await tab.open(url + (await linkOf(newNotebook([newCell("code", BELL)]))));
  await start();
  const text = await time(`/\\b11\\b/.test(document.querySelector(".outputs pre")?.textContent)`);
  const chart = await time(`document.querySelector("figure[data-chart] svg")`);

  await tab.open("about:blank");
  await tab.open(url + (await linkOf(readNotebook("tour.ipynb"))));
  const started = await start();
  await time(`${BAR}.classList.contains("busy") || document.querySelector(".outputs > *")`);
  const drawn = `[...document.querySelectorAll("figure[data-chart]")].every(each => each.querySelector("svg"))`;
  const tour = (await time(`${idle} && ${drawn}`)) - started;

  await tab.evaluate(`document.querySelector(".cell.code .cm-content").focus()`);
  const edits: number[] = [];
  for (let index = 0; index <= EDITS; index += 1) {
    await new Promise(done => setTimeout(done, REST_MS));
    const typed = Number(
      await tab.evaluate(`(() => {
        const content = [...document.querySelectorAll(".cell.code .cm-content")].at(-1);
        content.focus();
        getSelection().selectAllChildren(content);
        getSelection().collapseToEnd();
        document.execCommand("insertText", false, "; const wrong${index}: string = ${index};");
        return performance.now();
      })()`),
    );
    const marked = await time(`document.querySelectorAll(".cm-lintRange-error").length > ${index}`);
    if (index) edits.push(marked - typed - TYPING_PAUSE_MS);
  }
  return { "first result": text, "first chart": chart, tour, "type errors": percentile(edits, 0.5) };
}

/** Measures 20 qubits in a page whose simulator has one thread, as it is not isolated. */
async function measureWide(tab: Tab, url: string): Promise<number> {
  await tab.open(url + (await linkOf(newNotebook([newCell("code", TIME_WIDE)]))));
  await tab.evaluate(when(`${RUN} && document.querySelector(".cell.code")`));
  await tab.evaluate(`${RUN}.click()`);
  await tab.evaluate(when(`document.querySelector(".outputs pre")`));
  return Number(await tab.evaluate(`document.querySelector(".outputs pre").textContent`));
}

/** Measures 20 qubits on one thread of Node. */
function measureNode(): number {
  const circuit = compiled(WIDE);
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    simulate(circuit, { shots: SHOTS, threads: 1 });
    return performance.now() - start;
  });
  return Math.min(...times);
}

/**
 * How long the page takes, in both browsers, to its first result, for the tour with its charts, to mark an error of
 * types, and for 20 qubits on one thread, beside Node.
 */
export async function benchPage(): Promise<void> {
  const site = await serveSite(await buildSite(), { isolated: true });
  const single = await serveSite(await buildSite(), { isolated: false });
  const tabs = { Chromium: newChromiumTab, Firefox: startFirefox };
  const rows: string[][] = [];
  for (const [name, newTab] of Object.entries(tabs)) {
    const measured: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const tab = await newTab();
      try {
        const times = await measure(tab, site.url);
        const wide = await measureWide(tab, single.url);
        measured.push({ ...times, "20 qubits": wide, "in Node": measureNode() });
      } finally {
        await tab.close();
      }
    }
    rows[0] ??= ["", ...Object.keys(measured[0]!)];
    const median = (key: string) =>
      percentile(
        measured.map(each => each[key]!),
        0.5,
      );
    rows.push([name, ...Object.keys(measured[0]!).map(key => `${median(key).toFixed(0)} ms`)]);
  }
  await Promise.all([site.close(), single.close()]);
  report(`The page, medians of ${ROUNDS} new browsers`, rows);
}
