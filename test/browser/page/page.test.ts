import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { linkOf } from "../../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../../src/browser/page/notebook.ts";
import { notebookText } from "../../../src/ipynb/text.ts";
import { unavailable } from "../../front-ends/available.ts";
import { workerBrowser } from "../../front-ends/browser.ts";
import { buildSite } from "../build-once.ts";
import { useBrowserSites } from "./browser-sites.ts";
import {
  ended,
  openPage,
  outputs,
  PATIENCE_MS,
  replaceCells,
  replaceNotebook,
  runAll,
  sharedPage,
  withCells,
} from "./open-page.ts";
import type { Site } from "./site.ts";

describe.skipIf(unavailable("chromium"))("the page", { timeout: PATIENCE_MS }, () => {
  const sites = useBrowserSites(buildSite, 2 * PATIENCE_MS, { isKept: false });

  const open = (site: Site, hash?: string) => openPage(site, hash);
  const shared = sharedPage(() => sites.isolated);
  afterAll(() => shared.close());

  test("runs the whole tour, with live charts and no request to another origin", async () => {
    const page = await shared.page();
    await runAll(page);
    expect(await page.locator(".error").allInnerTexts()).toEqual([]);
    await expect.poll(() => page.locator("figure[data-chart] svg").count()).toBeGreaterThanOrEqual(7);
    expect(await outputs(page)).toContainEqual(
      expect.stringMatching(/^\d+ of 1000 shots agree\. Cost: [\d.]+ credits\./),
    );
  });

  test("shows the tour with its pictures at first, and stores, runs and warns of nothing by itself", async () => {
    const opened = await open(sites.plain);
    const { page } = opened;
    const picture = page.locator(".rich img").first();
    await expect
      .poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBeGreaterThan(100);
    const chart = page.locator(".rich img[src*='/notebooks/pictures/']").first();
    expect(await chart.getAttribute("alt")).toMatch(/^Measurement outcomes: 00 and 11, about half each\./);
    const { y, height } = (await picture.boundingBox())!;
    expect(y + height / 2).toBeLessThan(800);
    await chart.scrollIntoViewIfNeeded();
    await expect
      .poll(() => chart.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBeGreaterThan(300);
    await page.waitForTimeout(1000);
    expect(await page.locator(".note").allInnerTexts()).toEqual([]);
    expect(await page.evaluate("Object.keys(localStorage).length + Number(crossOriginIsolated)")).toBe(1);
    const words = await page.getByRole("toolbar").innerText();
    expect(words.split("\n")).toEqual(["Run all", "Interrupt", "Restart", "Add a cell", "Menu"]);
    await opened.close();
  });

  test("keeps the notebook and its variables unless the user agrees to open another one, also by going back", async () => {
    const page = await shared.page();
    await replaceCells(page, "1", "2");
    const count = () => page.locator(".cell").count();
    const heading = () => page.locator(".prose h1").first().innerText();
    const question = page.getByRole("dialog", { name: "Open another notebook?" });
    await page.getByRole("link", { name: "Empty notebook" }).click();
    await expect.poll(count).toBe(1);
    await page.locator(".cm-content").first().click();
    await page.keyboard.type("const kept = 40 + 2; kept");
    await runAll(page);
    const address = page.url();
    await page.getByRole("link", { name: "Course" }).click();
    await question.getByRole("button", { name: "Stay here" }).click();
    expect(await outputs(page)).toEqual(["42"]);
    await page.goBack();
    await question.getByRole("button", { name: "Stay here" }).click();
    await expect.poll(() => page.url()).toBe(address);
    expect(await outputs(page)).toEqual(["42"]);
    await page.getByRole("link", { name: "Course" }).click();
    await question.getByRole("button", { name: "Open it" }).click();
    await expect.poll(heading).toBe("The course");
    await page.getByRole("link", { name: "Tour" }).click();
    await expect.poll(heading).toBe("Ketbook in ten minutes");
  });

  test("opens a lesson by its address, follows what is opened, goes back, and offers the copy that was changed", async () => {
    const opened = await open(sites.isolated, "?open=course/10-grover");
    const { page } = opened;
    const heading = () => page.locator(".prose h1").first().innerText();
    const at = () => new URL(page.url()).search;
    await expect.poll(heading).toContain("10 · ");
    expect(await outputs(page)).not.toContainEqual(expect.stringContaining("ms"));
    await page.locator(".cm-content").first().click();
    await page.keyboard.type("/*mine*/");
    await page.waitForFunction("history.state?.kept");
    await page.getByRole("link", { name: "Course" }).click();
    await expect.poll(heading).toBe("The course");
    expect(at()).toBe("?open=course");
    await page.getByRole("link", { name: /^1 · / }).click();
    await expect.poll(heading).toContain("1 · ");
    expect(at()).toBe("?open=course/01-qubits-and-measurement");
    await page.goBack();
    await expect.poll(heading).toBe("The course");
    await page.goBack();
    await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain("/*mine*/");
    expect(at()).toBe("?open=course/10-grover");
    await page.goForward();
    await page.getByRole("link", { name: /^10 · / }).click();
    await expect.poll(heading).toContain("10 · ");
    expect(await page.locator(".cm-content").first().innerText()).not.toContain("/*mine*/");
    await page.getByRole("button", { name: "Open my copy" }).click();
    await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain("/*mine*/");
    await page.getByRole("link", { name: "Empty notebook" }).click();
    await expect.poll(() => page.locator(".cell").count()).toBe(1);
    await opened.close();
  });

  test("opens by its address nothing that is not of the page", async () => {
    const [first, ...others] = [
      "https://example.org/a",
      "//example.org/a",
      "../kernel",
      "course/99-none",
    ].map(name => `?open=${encodeURIComponent(name)}`);
    const opened = await open(sites.isolated, first);
    const { page } = opened;
    const expectTour = async (notes: number) => {
      await expect.poll(() => page.locator(".note").count()).toBe(notes);
      await expect.poll(() => page.locator(".prose h1").innerText()).toBe("Ketbook in ten minutes");
    };
    await expectTour(1);
    for (const [index, address] of others.entries()) {
      await page.getByRole("link", { name: "Empty notebook" }).click();
      await expect.poll(() => page.locator(".cell").count()).toBe(1);
      // Back returns to an address that a page is opened by as well.
      await page.evaluate(`{
        history.replaceState(null, "", "${address}");
        dispatchEvent(new PopStateEvent("popstate"));
      }`);
      await expectTour(index + 2);
    }
    for (const said of await page.locator(".note").allInnerTexts())
      expect(said).toMatch(/not a notebook of this page|there is no notebook to read/);
    await opened.close();
  });

  test("shows values, streams and errors as the kernel of Jupyter does", async () => {
    const page = await shared.page();
    await replaceCells(
      page,
      "const rows = [{ n: 1 }]; console.log(rows, new Map([[1, 'a']])); console.error('oops');",
      "({ a: 1, b: [rows.length] })",
      "function fails(x: number): never {\n  throw new RangeError('too ' + x);\n}",
      "fails(2 as number)",
    );
    await runAll(page);
    expect(await outputs(page)).toEqual([
      "[ { n: 1 } ] Map(1) { 1 => 'a' }\n\noops",
      "{ a: 1, b: [ 1 ] }",
      "",
      expect.stringMatching(
        /^RangeError too 2\s+Cell \[3\], line 2, in fails\n[\s\S]*> 2 \| {3}throw new[\s\S]*Cell \[4\], line 1\n/,
      ),
    ]);
  });

  test("calls errors by their names, which the build leaves as they are", async () => {
    const program = "qasm`OPENQASM 3.0; qubit q; bit c = measure q;`";
    const page = await shared.page();
    await replaceCells(page, `import { qasm, run } from "ketbook"; await run(${program}).on("ibm_lagos")`);
    await runAll(page);
    await expect
      .poll(async () => (await outputs(page))[0])
      .toMatch(/^KetbookError "ibm_lagos": no device has that name/);
  });

  test("shows the line of a program that does not compile, with the caret under the place", async () => {
    const cell = 'import { qasm, run } from "ketbook"; await run(qasm`OPENQASM 3.0;\nqubit r; hh r;`)';
    const page = await shared.page();
    await replaceCells(page, cell);
    await runAll(page);
    const details = page.locator(".error pre");
    await expect
      .poll(() => details.innerText())
      .toMatch(/^ {2}2 \| qubit r; hh r;\n {4}\| {10}\^\nNothing was submitted\./);
  });

  test("runs nothing of a link unasked, and nothing of what its text and outputs bring along", async () => {
    const hostile =
      '<img src=x onerror="document.title = `taken`"><a href="javascript:document.title = `taken`">a</a>';
    const link = await linkOf(
      newNotebook([
        newCell("markdown", `# A link\n\n${hostile}`),
        newCell("code", `console.log("ran");`),
        newCell("code", `%%html\n${hostile}<script>document.title = "taken"</script><b>bold</b>`),
      ]),
    );
    const opened = await open(sites.isolated, link);
    const { page } = opened;
    expect(await outputs(page)).toEqual(["", ""]);
    await runAll(page);
    expect(await outputs(page)).toEqual(["ran", expect.stringContaining("bold")]);
    expect(await page.locator(".cell :is(script, [onerror], [href^='javascript'])").count()).toBe(0);
    expect(await page.title()).toBe("A link · Ketbook");
    await opened.close();
  });

  test("interrupts a busy cell with its variables, also on a first visit where the server does not isolate the page", async () => {
    const cells = ["const kept = 5;", "console.log('begun'); while (true) {}", "kept + 1"];
    const expectInterrupt = async (page: Page) => {
      await page.waitForFunction("crossOriginIsolated");
      await page.getByRole("button", { name: "Run all cells" }).click();
      const busy = page.locator(".cell").nth(1);
      await expect.poll(() => busy.getAttribute("data-state")).toBe("running");
      await page.getByRole("button", { name: /^Interrupt/ }).click();
      await ended(page);
      await expect.poll(async () => (await outputs(page))[1]).toContain("The cell was interrupted.");
      await page.locator(".cell").nth(2).getByRole("button", { name: "Run cell" }).click();
      await expect.poll(async () => (await outputs(page))[2]).toBe("6");
    };
    const isolated = await shared.page();
    await replaceCells(isolated, ...cells);
    await expectInterrupt(isolated);
    const opened = await open(sites.plain, await withCells(...cells));
    await expectInterrupt(opened.page);
    await opened.close();
  });

  test("shows what a cell prints while it still runs", async () => {
    const page = await shared.page();
    await replaceCells(page, "console.log('begun'); await new Promise(() => {});");
    await page.getByRole("button", { name: "Run all cells" }).click();
    await expect.poll(async () => (await outputs(page))[0]).toContain("begun");
    expect(await page.locator(".cell").first().getAttribute("data-state")).toBe("running");
    await page.getByRole("button", { name: /^Interrupt/ }).click();
    await ended(page);
    const work =
      "for (let i = 0; ; i++) { console.log(i); for (const end = Date.now() + 200; Date.now() < end; ); }";
    await replaceCells(page, work);
    await page.getByRole("button", { name: "Run all cells" }).click();
    await expect.poll(async () => (await outputs(page))[0]).toContain("2");
    expect(await page.locator(".cell").first().getAttribute("data-state")).toBe("running");
    await page.getByRole("button", { name: /^Interrupt/ }).click();
    await ended(page);
  });

  test("asks before it stops a busy cell with all variables where no memory can be shared", async () => {
    const context = await (await workerBrowser()).newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    const cells = await withCells("const kept = 5;", "while (true) {}", "kept + 1");
    await page.goto(sites.plain.url + cells);
    await page.getByRole("button", { name: "Run all cells" }).click();
    const busy = page.locator(".cell").nth(1);
    await expect.poll(() => busy.getAttribute("data-state")).toBe("running");
    const stop = page.getByRole("button", { name: /^Interrupt/ });
    await stop.click();
    await page.getByText("all variables are lost, and you must rerun").waitFor();
    await page.getByRole("button", { name: "Let it run" }).click();
    expect(await busy.getAttribute("data-state")).toBe("running");
    await stop.click();
    await page.getByRole("button", { name: "Stop, and lose all variables" }).click();
    await ended(page);
    await expect
      .poll(async () => (await outputs(page))[1])
      .toContain("all variables are lost. Jobs continue.");
    await context.close();
  });

  test("lets cells reach no other origin, not even that of the notebook, and change no later visit", async () => {
    const asked: string[] = [];
    const other = createServer(({ url = "" }, response) => {
      asked.push(url);
      const moved = { location: "/notebook.ipynb", "access-control-allow-origin": "*" };
      response.writeHead(url === "/" ? 302 : 200, moved).end(notebook);
    });
    await new Promise<void>(resolve => other.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const kernel = new URL("kernel.js", sites.isolated.url).href;
    const notebook = notebookText(
      newNotebook([
        newCell("code", `await fetch("${origin}fetch")`),
        newCell("code", `new Worker("${kernel}", { type: "module" })`),
        newCell("code", `caches.open("page")`),
      ]),
    );
    const opened = await openPage(sites.isolated, `#from=${encodeURIComponent(origin)}`, [origin]);
    const { page } = opened;
    await page.getByText("This link opens a notebook of 127.0.0.1").waitFor();
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Load it" }).click();
    await expect.poll(() => page.locator(".code .run").count()).toBe(3);
    for (const [index, error] of [
      /^TypeError/,
      /^ReferenceError.*Worker/,
      /^ReferenceError.*caches/,
    ].entries()) {
      await page.locator(".cell").nth(index).getByRole("button", { name: "Run cell" }).click();
      await expect.poll(async () => (await outputs(page))[index]).toMatch(error);
    }
    const direct = await page.evaluate<string>(
      `new Promise(resolve => new Worker("${kernel}", { type: "module" }).onerror = () => resolve("refused"))`,
    );
    expect(direct).toBe("refused");
    expect(asked).toEqual(["/", "/notebook.ipynb"]);
    await opened.leave();
    other.close();
    other.closeAllConnections();
  });

  test("keeps what is changed in each tab, whatever is opened beside it or after it", async () => {
    const opened = await open(sites.isolated, await withCells("'of the link'"));
    const { page, context } = opened;
    const first = (tab: Page) => tab.locator(".cm-content").first();
    const write = async (tab: Page, text: string) => {
      await first(tab).click();
      await tab.keyboard.press("Control+Home");
      await tab.keyboard.type(text);
      await tab.waitForFunction("history.state?.kept");
    };
    const visit = async (hash = "") => {
      const tab = await context.newPage();
      await tab.goto(sites.isolated.url + hash);
      await first(tab).waitFor();
      return tab;
    };
    await write(page, "/*mine*/");
    await page.reload();
    await expect.poll(() => first(page).innerText()).toBe("/*mine*/'of the link'");
    expect(await page.locator(".note").allInnerTexts()).not.toContainEqual(
      expect.stringContaining("open in another tab"),
    );
    const beside = await visit();
    await beside.getByText("This notebook is open in another tab.").waitFor();
    await write(beside, "/*copy*/");
    await page.close();
    await (await visit(await withCells("'of a stranger'"))).close();
    await beside.close();
    const later = await visit();
    await expect.poll(() => first(later).innerText()).toBe("/*copy*//*mine*/'of the link'");
    await later.getByRole("button", { name: "Menu" }).click();
    await later.getByRole("menuitem", { name: "Notebooks in this browser …" }).click();
    await expect.poll(() => later.locator(".listed").count()).toBe(2);
    await later.locator(".listed").nth(1).click();
    await expect.poll(() => first(later).innerText()).toBe("/*mine*/'of the link'");
    await later.goto("about:blank");
    await later.goto(`${sites.isolated.url}#from=%`);
    await later.getByText("This link names no address").waitFor();
    await opened.close();
  });

  test("fits a screen 380 pixels wide, and has a name for everything that can be pressed", async () => {
    const wide = `| ${"a column |".repeat(12)}\n|${"---|".repeat(12)}\n|${" 1234567 |".repeat(12)}`;
    const notebook = newNotebook([
      newCell("markdown", `${wide}\n\n\`\`\`\n${"long ".repeat(99)}\n\`\`\``),
      newCell("code", `console.log("wide ".repeat(99)); "word".repeat(99)`),
      newCell(
        "code",
        'import { qasm, run, step } from "ketbook"; await run(qasm`OPENQASM 3.0; qubit q; bit c = measure q;`).shots(9)',
      ),
      newCell(
        "code",
        "step(qasm`OPENQASM 3.0; qubit[3] q; bit[3] c; h q[0]; cnot q[0], q[1]; c = measure q;`)",
      ),
    ]);
    const page = await shared.page();
    const size = page.viewportSize()!;
    await replaceNotebook(page, notebook);
    await page.setViewportSize({ width: 380, height: 700 });
    await runAll(page);
    await expect.poll(async () => (await outputs(page))[0]).toContain("wide");
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(380);
    const edge = "document.querySelector('figure svg')?.getBoundingClientRect().right ?? Infinity";
    await expect.poll(() => page.evaluate<number>(edge)).toBeLessThanOrEqual(380);
    expect(
      await page.evaluate<string[]>("[...document.fonts].map(({ family, status }) => family + ' ' + status)"),
    ).toEqual(["Inter loaded", "Inter loaded"]);
    await page.locator("figure svg").nth(1).waitFor();
    const cut = await page
      .locator("figure svg :is(text, path)")
      .evaluateAll(parts =>
        parts.filter(part => part.getBoundingClientRect().right > 380).map(part => part.outerHTML),
      );
    expect(cut).toEqual([]);
    expect(
      await page
        .locator("figure")
        .evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth)),
    ).toEqual([]);
    const opacity = "getComputedStyle(document.querySelector('.vega-bind')).opacity";
    expect(await page.evaluate<string>(opacity)).toBe("0");
    const names = await page
      .getByRole("button")
      .evaluateAll(buttons => buttons.map(each => each.getAttribute("aria-label") ?? each.textContent ?? ""));
    expect(names.filter(name => name.trim() === "")).toEqual([]);
    await page.setViewportSize(size);
  });

  test("is edited by keys as in Jupyter", async () => {
    const page = await shared.page();
    await replaceCells(page, "1", "2");
    const kinds = () =>
      page.locator(".cell").evaluateAll(cells => cells.map(cell => cell.className.split(" ")[1]));
    await page.locator(".cm-content").first().click();
    await page.keyboard.press("Escape");
    for (const key of ["b", "m", "a", "d", "d"]) await page.keyboard.press(key);
    await expect.poll(kinds).toEqual(["code", "markdown", "code"]);
    await page.keyboard.press("z");
    await expect.poll(kinds).toHaveLength(4);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type("0 + 1");
    await page.keyboard.press("Shift+Enter");
    await expect.poll(async () => (await outputs(page))[0]).toBe("11");
  });

  test("marks what is wrong with types and programs, completes names, and describes them", async () => {
    const page = await shared.page();
    await replaceCells(
      page,
      'import { qasm } from "ketbook";\nconst bell = qasm`OPENQASM 3.0; qubit q; bit c = measure p;`;',
      "namespace N { export const a = 1 }\nnamespace N { export const b = a + 1 }\nN.b",
      "const total: string = N.b;\n",
    );
    await page.locator(".cell").nth(1).getByRole("button", { name: "Run cell" }).click();
    await expect.poll(async () => (await outputs(page))[1], { timeout: PATIENCE_MS }).toBe("2");
    const marked = () => page.locator(".cm-lintRange-error").allInnerTexts();
    await expect.poll(marked, { timeout: PATIENCE_MS }).toEqual(["p", "total"]);
    await page.locator(".cm-content").nth(2).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("bell.dra");
    await expect.poll(() => page.locator(".cm-tooltip-autocomplete").innerText()).toBe("draw");
    await page.locator(".cm-tooltip-autocomplete li").click();
    await page.mouse.move(0, 0);
    await page.keyboard.type("(");
    await expect
      .poll(() => page.locator(".described").allInnerTexts())
      .toContainEqual(expect.stringContaining("draw("));
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".described").allInnerTexts()).toEqual([]);
    await page.locator(".t-call", { hasText: "qasm" }).hover();
    await expect
      .poll(() => page.locator(".described").allInnerTexts())
      .toContainEqual(expect.stringContaining("Makes an OpenQASM program"));
  });

  test("continues without a network after the first visit, with the notebook that was there", async () => {
    const opened = await open(sites.plain, await withCells("const answer = 42; answer"));
    const { page, context } = opened;
    await runAll(page);
    await expect
      .poll(() => page.evaluate("caches.match('typescript.js').then(Boolean)"), { timeout: PATIENCE_MS })
      .toBe(true);
    await context.setOffline(true);
    await page.goto(sites.plain.url);
    await page.locator(".cell").first().waitFor();
    expect(await page.evaluate("crossOriginIsolated")).toBe(true);
    expect(await outputs(page)).toEqual(["42"]);
    await runAll(page);
    expect(await outputs(page)).toEqual(["42"]);
    await opened.leave();
  });
});
