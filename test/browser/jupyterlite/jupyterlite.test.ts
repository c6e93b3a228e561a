import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unavailable } from "../../front-ends/available.ts";
import { type FirefoxTab, startFirefox } from "../../front-ends/firefox.ts";
import { useBrowserSites } from "../page/browser-sites.ts";
import { LESSONS } from "../page/notebooks.ts";
import { PATIENCE_MS } from "../page/open-page.ts";
import { type Site, serveSite } from "../page/site.ts";
import {
  buildShell,
  cellsOf,
  choose,
  idle,
  LAB,
  newNotebook,
  openShell,
  outputOf,
  promptsOf,
  run,
  type Shell,
} from "./shell.ts";

const CHARTS = ".vega-embed :is(canvas, svg.marks)";
const FAULTS = "[data-mime-type*=error], [data-mime-type*=stderr]";

/** Runs the notebook that is open, and expects that all of its cells end well. */
async function expectToRun(page: Page, file: string): Promise<void> {
  await choose(page, "Run", "Run All Cells");
  const prompts = () => page.locator(".jp-CodeCell .jp-InputPrompt").allTextContents();
  await expect.poll(prompts, { timeout: PATIENCE_MS }).toEqual(promptsOf(file));
  await idle(page);
  expect(await page.locator(FAULTS).allTextContents()).toEqual([]);
}

/** Interrupts a cell that does not end, and expects a text below it and below a later cell, and that a restart ends all variables. */
async function expectToInterrupt(page: Page, text: string, then: string): Promise<void> {
  await newNotebook(page);
  await run(page, "let kept = 5;");
  // As much text as this is sent at once, so that it is there when the loop has begun.
  const busy = await run(page, "console.log('begun'.padEnd(70_000)); while (true) {}");
  const waiting = await run(page, "console.log('never')");
  await expect.poll(() => outputOf(busy)).toBe("begun");
  await choose(page, "Kernel", "Interrupt Kernel");
  await expect.poll(() => outputOf(busy)).toContain(text);
  const after = await run(page, "kept + 1");
  await expect.poll(() => outputOf(after)).toContain(then);
  expect(await outputOf(waiting)).toBe("");
  await choose(page, "Kernel", "Restart Kernel…");
  await page.locator(".jp-Dialog .jp-mod-warn").click();
  await idle(page);
  const restarted = await run(page, "kept");
  await expect.poll(() => outputOf(restarted)).toContain("Cannot find name 'kept'");
}

describe.skipIf(unavailable("chromium"))("the JupyterLite shell", { timeout: 2 * PATIENCE_MS }, () => {
  const sites = useBrowserSites(buildShell, 4 * PATIENCE_MS);

  describe("on a server that isolates it", () => {
    let shell: Shell;
    let page: Page;
    beforeAll(async () => {
      shell = await openShell(sites.isolated);
      page = await shell.open();
    }, PATIENCE_MS);
    afterAll(() => shell?.close());

    test("opens the tour at the first visit, and runs all of it, with live charts and nothing from another origin", async () => {
      await expect.poll(() => page.title()).toContain("tour");
      await expectToRun(page, "tour.ipynb");
      await expect.poll(() => page.locator(CHARTS).count()).toBeGreaterThanOrEqual(7);
      expect(await page.locator(".jp-CodeCell").allTextContents()).toContainEqual(
        expect.stringMatching(/\d+ of 1000 shots agree\. Cost: [\d.]+ credits\./),
      );
      await page.locator(".jp-DirListing-item", { hasText: "course" }).dblclick();
      await page.getByText("10-grover.ipynb").waitFor();
      shell.expectNoFaults();
    });

    test("completes names and describes them by their types", async () => {
      await newNotebook(page);
      const first = await run(page, "/** What it is all about. */\nconst answer = 42;");
      await expect.poll(() => first.locator(".jp-InputPrompt").innerText()).toBe("[1]:");
      await cellsOf(page).last().locator(".cm-content").click();
      await page.keyboard.insertText("answer.to");
      await page.keyboard.press("Tab");
      await expect
        .poll(() => page.locator(".jp-Completer-item").allInnerTexts())
        .toContainEqual(expect.stringContaining("toExponential"));
      await page.keyboard.press("Escape");
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+Tab");
      await expect
        .poll(() => page.locator(".jp-Tooltip").innerText())
        .toMatch(/const answer[\s\S]*all about/);
      shell.expectNoFaults();
    });

    test("interrupts a busy cell, whose variables survive", async () => {
      await expectToInterrupt(page, "The cell was interrupted.", "6");
      shell.expectNoFaults();
    });
  });

  // CI has the tour alone.
  test.runIf(process.env.KETBOOK_LESSONS).for(["gallery.ipynb", ...LESSONS])(
    "runs all of %s, with live charts and nothing from another origin",
    async file => {
      const shell = await openShell(sites.plain);
      const page = await shell.open(`?path=${file}`);
      await expectToRun(page, file);
      await expect.poll(() => page.locator(CHARTS).count()).toBeGreaterThan(1);
      await shell.close();
    },
  );

  describe("on a server that does not isolate it", () => {
    let shell: Shell;
    let page: Page;
    beforeAll(async () => {
      shell = await openShell(sites.plain);
      page = await shell.open();
    }, PATIENCE_MS);
    afterAll(() => shell?.close());

    test("shows values, streams, errors and output that changes, and runs nothing after an error", async () => {
      await newNotebook(page);
      const values = await run(page, "console.log(new Map([[1, 'a']])); ({ a: 1 })");
      await expect.poll(() => outputOf(values)).toBe("Map(1) { 1 => 'a' }\n\n{ a: 1 }");
      const types = await run(page, "const total: string = 3;");
      await expect.poll(() => outputOf(types)).toContain("Type 'number' is not assignable to type 'string'.");
      const failing = await run(
        page,
        "await new Promise(done => setTimeout(done, 3000)); throw new RangeError('too far');",
      );
      const after = await run(page, "console.log('never')");
      await expect.poll(() => outputOf(failing)).toMatch(/^RangeError: too far[\s\S]*Cell \[3\], line 1/);
      await idle(page);
      expect(await outputOf(after)).toBe("");
      const program = await run(page, "OPENQASM 3.0;\nqubit q;\nbit c = measure q;");
      await expect.poll(() => program.locator(".jp-OutputArea-output :is(img, svg)").count()).toBe(1);
      const progress = await run(
        page,
        "import { run } from 'ketbook';\nconst prepared = run(program).shots(100);\nawait prepared",
      );
      await expect.poll(() => progress.locator(".vega-embed").count()).toBe(1);
      const shellCommand = await run(page, "!ls");
      await expect.poll(() => outputOf(shellCommand)).toContain("A browser runs no commands of a shell.");
      shell.expectNoFaults();
    });

    test("interrupts a busy cell, and says that its variables are lost", async () => {
      await expectToInterrupt(page, "all variables are lost. Jobs continue.", "Cannot find name 'kept'");
      shell.expectNoFaults();
    });

    test("runs one service for all notebooks of a browser, which continues without a network", async () => {
      // A retry begins where the first try has ended.
      await shell.context.setOffline(false);
      if (page.isClosed()) page = await shell.open();
      const second = await shell.open();
      await newNotebook(page);
      await newNotebook(second);
      const source =
        "import { run, qasm } from 'ketbook';\n(await run(qasm`OPENQASM 3.0; qubit q; bit c = measure q;`).shots(10)).job.qrn";
      const ran = await run(page, source);
      await expect.poll(() => outputOf(ran), { timeout: PATIENCE_MS }).toMatch(/qjob/);
      const id = (await outputOf(ran)).replaceAll("'", "");
      const seen = await run(
        second,
        `import { job } from 'ketbook';\n(await job(${JSON.stringify(id)})).status`,
      );
      await expect.poll(() => outputOf(seen)).toContain("COMPLETED");
      await second.evaluate("navigator.serviceWorker.ready");
      await page.close();
      await shell.context.setOffline(true);
      await second.reload();
      await idle(second);
      await newNotebook(second);
      const offline = await run(second, source);
      await expect.poll(() => outputOf(offline), { timeout: PATIENCE_MS }).toMatch(/qjob/);
      expect(await second.evaluate("crossOriginIsolated")).toBe(true);
      shell.expectNoFaults();
    });
  });
});

describe.skipIf(unavailable("firefox"))(
  "the JupyterLite shell in Firefox",
  { timeout: 2 * PATIENCE_MS },
  () => {
    let site: Site;
    let tab: FirefoxTab;

    beforeAll(async () => {
      site = await serveSite(await buildShell(), { isolated: true });
      tab = await startFirefox();
    }, 4 * PATIENCE_MS);
    afterAll(() => Promise.all([tab?.close(), site?.close()]));

    test("opens the tour, and runs all of it, with live charts, no error and nothing from another origin", async () => {
      const texts = async (selector: string) =>
        JSON.parse(
          String(
            await tab.evaluate(
              `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map(each => each.textContent.trim()))`,
            ),
          ),
        ) as string[];
      const choose = async (selector: string, label: string) => {
        await expect.poll(() => texts(selector)).toContain(label);
        await tab.click(
          `[...document.querySelectorAll("${selector}")].find(each => each.textContent.trim() === "${label}")`,
        );
      };
      const idle = () =>
        expect
          .poll(() => texts(".jp-NotebookPanel .jp-Notebook-ExecutionIndicator[data-status=idle]"), {
            timeout: PATIENCE_MS,
          })
          .toHaveLength(1);
      await tab.open(site.url + LAB);
      await expect
        .poll(() => texts(".jp-KernelName"), { timeout: PATIENCE_MS })
        .toEqual(["TypeScript (Ketbook)"]);
      await idle();
      expect(await tab.evaluate("crossOriginIsolated")).toBe(true);
      // JupyterLab knows by the focus which notebook is the current one, and a window without a screen has none.
      await tab.evaluate(
        `void document.querySelector(".jp-NotebookPanel").dispatchEvent(new FocusEvent("focus", { bubbles: true }))`,
      );
      await expect.poll(() => tab.evaluate("document.title")).toContain("tour");
      await choose(".lm-MenuBar-itemLabel", "Run");
      await choose(".lm-Menu-itemLabel", "Run All Cells");
      await expect
        .poll(() => texts(".jp-CodeCell .jp-InputPrompt"), { timeout: PATIENCE_MS })
        .toEqual(promptsOf("tour.ipynb"));
      await idle();
      expect(await texts(FAULTS)).toEqual([]);
      await expect.poll(async () => (await texts(CHARTS)).length).toBeGreaterThanOrEqual(7);
      const elsewhere = tab.requests.filter(
        url => !url.startsWith(site.url) && !/^(?:data|blob|about):/.test(url),
      );
      expect([elsewhere, tab.errors]).toEqual([[], []]);
    });
  },
);
