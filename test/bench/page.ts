import { linkOf } from "../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../src/browser/page/notebook.ts";
import { readNotebook } from "../browser/page/notebooks.ts";
import { buildSite, serveSite } from "../browser/page/site.ts";
import { startBrowser } from "../front-ends/browser.ts";
import { startFirefox } from "../front-ends/firefox.ts";
import { percentile, report } from "./measure.ts";

const ROUNDS = 3;
const EDITS = 8;
/** What the page waits after the last key before it looks for errors. */
const TYPING_PAUSE_MS = 200;

const BELL = `import { qasm, run } from "ketbook";
await run(qasm\`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1]; bit[2] c = measure q;\`).shots(1000)`;

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
  const tour = (await time(idle)) - started;

  await tab.evaluate(`document.querySelector(".cell.code .cm-content").focus()`);
  const edits: number[] = [];
  for (let index = 0; index <= EDITS; index += 1) {
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

/** How long the page takes, in both browsers, to its first result, for the tour, and to mark an error of types. */
export async function benchPage(): Promise<void> {
  const site = await serveSite(buildSite(), { isolated: true });
  const tabs = { Chromium: newChromiumTab, Firefox: startFirefox };
  const rows: string[][] = [];
  for (const [name, newTab] of Object.entries(tabs)) {
    const measured: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const tab = await newTab();
      measured.push(await measure(tab, site.url).finally(() => tab.close()));
    }
    rows[0] ??= ["", ...Object.keys(measured[0]!)];
    const median = (key: string) =>
      percentile(
        measured.map(each => each[key]!),
        0.5,
      );
    rows.push([name, ...Object.keys(measured[0]!).map(key => `${median(key).toFixed(0)} ms`)]);
  }
  await site.close();
  report(`The page, medians of ${ROUNDS} new browsers`, rows);
}
