import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { IMimeBundle } from "@jupyterlab/nbformat";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chart, comparison, histogram } from "../../src/charts/index.ts";
import { lineChart } from "../../src/charts/rows/line.ts";
import { notebookPage } from "../../src/cli/ipynb/page.ts";
import { jupyterDisplay } from "../../src/display/index.ts";
import { grid, step } from "../../src/index.ts";
import type { Cell } from "../../src/ipynb/format.ts";
import { hostileTexts } from "../display/records.ts";
import { HEAD } from "../simulation/run.ts";
import { unavailable } from "./available.ts";
import { closePages, watchedPage, workerBrowser } from "./browser.ts";
import { charts } from "./objects.ts";

const drawnHere = `document.querySelector("figure").getAttribute("role") === "graphics-document"`;

describe.skipIf(unavailable("chromium"))("a page with a chart, opened as a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-page-"));
  let browser: Browser;

  beforeAll(async () => {
    browser = await workerBrowser();
  });
  afterAll(async () => {
    await closePages();
    rmSync(folder, { recursive: true });
  });

  async function opened(chart: Chart) {
    const path = join(folder, "chart.html");
    chart.save(path);
    const watched = await watchedPage(browser);
    await watched.page.goto(pathToFileURL(path).href);
    await expect.poll(() => watched.page.evaluate(drawnHere)).toBe(true);
    return watched;
  }

  test("draws itself, answers to the pointer, and asks the network for nothing", async () => {
    const { page, deeds } = await opened(histogram({ counts: { "00": 503, "11": 497 }, shots: 1000 }));
    await page.locator("figure .mark-rect path[aria-label*='count: 503']").hover();
    await expect
      .poll(async () => (await page.locator(".chart-tooltip").innerText()).split("\n"))
      .toEqual([
        ...[
          "outcome",
          "00",
          "count",
          "503",
          "probability",
          "50.3 %",
          "Interval (at least 95%)",
          "47.2 % to 53.4 %",
        ],
      ]);
    expect(deeds).toEqual([]);
    await page.close();
  });

  test("steps through a program by the keys of its slider", async () => {
    const bell = `${HEAD}qubit[2] q; bit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;`;
    const { page, deeds } = await opened(step(bell, { outcomes: [1] }));
    const shown = (text: string) => page.locator("figure").getByText(text, { exact: true });
    await expect.poll(() => shown("Step 1 of 4").count()).toBe(1);
    await page.locator("figure input[type=range]").focus();
    await page.keyboard.press("End");
    await expect.poll(() => shown("c = 11").count()).toBe(1);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shown("Step 2 of 4").count()).toBe(1);
    await expect.poll(() => shown("c = 00").count()).toBe(1);
    expect(deeds).toEqual([]);
    await page.close();
  });

  test("steps through a program by its buttons and by dragging, and fits narrow pages with nothing cut", async () => {
    const bell = `${HEAD}qubit[3] q; bit[3] c;\nh q[0];\ncx q[0], q[1];\nrz(pi/3) q[2];\nt q;\nc = measure q;`;
    const { page } = await opened(step(bell, { outcomes: [1] }));
    const shown = (text: string) => page.locator("figure").getByText(text, { exact: true });
    for (const [width, end] of [
      [1100, 446],
      [380, 344],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      await expect.poll(() => page.evaluate(drawnHere)).toBe(true);
      await expect.poll(() => shown("Step 1 of 9").count()).toBe(1);
      const area = (await page.locator("figure svg").boundingBox())!;
      const [left, top] = [area.x + 8, area.y + 8 + 26];
      await page.mouse.click(left + Math.min(end, area.width) - 24, top);
      await expect.poll(() => shown("Step 2 of 9").count()).toBe(1);
      await page.mouse.click(left + 18, top);
      await expect.poll(() => shown("Step 1 of 9").count()).toBe(1);
      await page.mouse.move(left + 90, top);
      await page.mouse.down();
      await page.mouse.move(left + Math.min(end, area.width) - 66, top, { steps: 12 });
      await page.mouse.up();
      await expect.poll(() => shown("Step 9 of 9").count()).toBe(1);
      const cut = await page
        .locator("figure svg text, figure svg path")
        .evaluateAll(
          (parts, edge) => parts.filter(part => part.getBoundingClientRect().right > edge + 1).length,
          area.x + area.width,
        );
      expect(cut).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
    await page.close();
  });

  /** The opacities of bars, points and lines that stand for something. */
  const opacities = (page: Page, marks: string): Promise<number[]> =>
    page
      .locator(`figure ${marks} path`)
      .evaluateAll(paths => paths.map(path => Number(path.getAttribute("opacity") ?? 1)));

  /** The share of them that is faded. */
  async function fadedShare(page: Page, marks: string) {
    const all = await opacities(page, marks);
    return all.filter(opacity => Math.abs(opacity - 0.2) < 0.001).length / all.length;
  }

  const compared = () =>
    comparison([
      { label: "Perth", counts: { "00": 450, "11": 480, "01": 40, "10": 30 } },
      { label: "Oslo", counts: { "00": 480, "11": 420, "01": 50, "10": 50 } },
    ]);

  test("a click on a name of the legend fades the others, a further one takes it back, and nothing moves for a reader who asks for less motion, whatever answers to the pointer", async () => {
    const { page, deeds } = await opened(compared());
    expect(await fadedShare(page, ".mark-rect.role-mark")).toBe(0);
    const name = page.locator("figure .role-legend-symbol path").first();
    await name.click();
    await expect.poll(() => fadedShare(page, ".mark-rect.role-mark")).toBe(0.5);
    await name.click();
    await expect.poll(() => fadedShare(page, ".mark-rect.role-mark")).toBe(0);
    expect(deeds).toEqual([]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await name.click();
    await page.locator("figure .mark-rect path[aria-label*='outcome']").first().hover();
    const moving = await page.evaluate(`[...document.querySelectorAll("*")].filter(element => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
      return transitionDuration !== "0s" || animationName !== "none" || scrollBehavior !== "auto";
    }).length + document.getAnimations().length`);
    expect(moving).toBe(0);
    await page.close();
  });

  test("the keyboard reaches the chart, its legend, each of its marks and its table", async () => {
    const { page, deeds } = await opened(compared());
    const focused = () =>
      page.evaluate<string>(
        `document.activeElement.getAttribute("aria-label") ?? document.activeElement.tagName`,
      );
    await page.keyboard.press("Tab");
    await expect.poll(focused).toMatch(/^Comparison: /);
    await expect
      .poll(() => page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`))
      .toBe("solid");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(focused).toContain("outcome: ");
    await expect.poll(() => page.locator(".chart-tooltip").innerText()).toContain("probability");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".chart-tooltip").isVisible()).toBe(false);
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Perth");
    await page.keyboard.press("Enter");
    await expect.poll(() => opacities(page, ".mark-rect.role-mark")).toContain(0.2);
    await expect
      .poll(() => page.evaluate(`document.activeElement.getAttribute("aria-pressed")`))
      .toBe("true");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("SUMMARY");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("details table").isVisible()).toBe(true);
    expect(deeds).toEqual([]);
    await page.close();
  });

  test("a drag along a long line moves its axis, and its picture has the same size live", async () => {
    const rows = Array.from({ length: 300 }, (_, time) => ({ time, value: Math.sin(time / 20) }));
    const { page, deeds } = await opened(lineChart(rows, { x: "time", y: "value" }));
    const labels = async () =>
      (await page.locator("figure .role-axis-label text").allTextContents()).join(" ");
    const area = (await page.locator("figure .root > g > .background").boundingBox())!;
    const before = await labels();
    const at = (share: number) => [area.x + area.width * share, area.y + area.height / 2] as const;
    await page.mouse.move(...at(0.8));
    await page.mouse.down();
    await page.mouse.move(...at(0.5));
    await page.mouse.move(...at(0.2));
    await page.mouse.up();
    await expect.poll(labels).not.toBe(before);
    await expect.poll(labels).toContain("400");
    expect(deeds).toEqual([]);
    await page.close();
  });

  test("a qubit under the pointer, and a brushed range of strips, stand out in the map and in each strip", async () => {
    const { "calibration-map": map, "calibration-bars": strips } = charts();
    const { page, deeds } = await opened(grid([map!, strips!]));
    await page.setViewportSize({ width: 1600, height: 900 });
    const count = async (opacity: number) =>
      (await opacities(page, ".role-mark")).filter(each => Math.abs(each - opacity) < 0.001).length;
    expect(await count(0.2)).toBe(0);
    await page.locator("figure path[aria-label^='qubit: 7;']").first().hover();
    await expect.poll(() => count(0.2)).toBeGreaterThan(4 * 128);
    await page.mouse.move(2, 2);
    await expect.poll(() => count(0.2)).toBe(0);
    const area = (await page.locator("figure .concat_1_concat_0_group > g > .background").boundingBox())!;
    await page.mouse.move(area.x + 2, area.y + 3);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2, area.y + 65, { steps: 6 });
    await page.mouse.up();
    await page.mouse.move(2, 2);
    for (const marks of [".role-mark.mark-rect", ".concat_0_group .role-mark.mark-symbol"])
      await expect.poll(() => fadedShare(page, marks)).toBeCloseTo(0.5, 0.7);
    expect(deeds).toEqual([]);
    await page.close();
  });

  test("a range of qubits that is brushed from anywhere stands out in each strip until a double click", async () => {
    const { page, deeds } = await opened(charts()["calibration-bars"]!);
    const area = (await page.locator("figure .concat_0_group > g > .background").boundingBox())!;
    for (const [start, x, y, end] of [
      ["at the left edge", 2, 3, -3],
      ["over one bar to over another one", 3, 60, 65],
      ["beside bars", 40, 3, 30],
    ] as const) {
      expect(await fadedShare(page, ".role-mark.mark-rect"), start).toBe(0);
      await page.mouse.move(area.x + x, area.y + y);
      await page.mouse.down();
      await page.mouse.move(area.x + area.width / 2, area.y + (end < 0 ? area.height : 0) + end, {
        steps: 6,
      });
      await page.mouse.up();
      await page.mouse.move(2, 2);
      await expect
        .poll(() => fadedShare(page, ".role-mark.mark-rect"), { message: start })
        .toBeCloseTo(0.5, 0.7);
      await page.mouse.dblclick(area.x + 0.9 * area.width, area.y + 3);
      await page.mouse.move(2, 2);
      await expect.poll(() => fadedShare(page, ".role-mark.mark-rect"), { message: start }).toBe(0);
    }
    expect(deeds).toEqual([]);
    await page.close();
  });

  test("the page of an executed notebook has Vega once, and its charts answer; without scripts their pictures stay", async () => {
    const shown = [compared(), histogram({ counts: { "0": 1 }, shots: 1 })];
    const cells: Cell[] = shown.map(chart => ({
      ...{ cell_type: "code", id: "c", metadata: {}, source: "chart", execution_count: 1 },
      outputs: [{ output_type: "display_data", data: chart[jupyterDisplay]() as IMimeBundle, metadata: {} }],
    }));
    const path = join(folder, "notebook.html");
    writeFileSync(path, notebookPage({ metadata: {}, cells }, { name: "n", note: "" }));
    const { page, deeds } = await watchedPage(browser);
    await page.goto(pathToFileURL(path).href);
    expect(await page.locator("#chart-code").count()).toBe(1);
    await page.locator("figure .role-legend-symbol path").first().click();
    await expect.poll(() => opacities(page, ".mark-rect.role-mark")).toContain(0.2);
    await expect.poll(() => page.locator("figure img").count()).toBe(0);
    expect(deeds).toEqual([]);
    await page.close();
    const still = await browser.newPage({ javaScriptEnabled: false });
    await still.goto(pathToFileURL(path).href);
    expect(await still.locator("figure img").count()).toBe(2);
    await still.close();
  });

  test("a script that its policy does not name is refused", async () => {
    const path = join(folder, "changed.html");
    writeFileSync(
      path,
      compared().toHTML().replace("</body>", "<script>document.title = 'changed'</script></body>"),
    );
    const { page, deeds } = await watchedPage(browser);
    await page.goto(pathToFileURL(path).href);
    expect(await page.title()).not.toBe("changed");
    expect(deeds).toEqual([expect.stringMatching(/Content Security Policy/)]);
    await page.close();
  });

  test("keeps its still picture where scripts are off", async () => {
    const path = join(folder, "still.html");
    writeFileSync(path, histogram({ counts: { "0": 1 }, shots: 1 }).toHTML());
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(pathToFileURL(path).href);
    const picture = await page.locator("figure svg").screenshot();
    expect(picture.length).toBeGreaterThan(1000);
    await page.close();
  });

  test.each([
    ["short", hostileTexts.filter(text => text.length < 100)],
    ["long", hostileTexts.filter(text => text.length >= 100)],
  ])("runs nothing of %s texts", async (_, texts) => {
    const counts = Object.fromEntries(
      texts.flatMap(text => [
        [text, 3],
        [`${text}2`, 1],
      ]),
    );
    const { page, deeds } = await opened(
      histogram({ counts, shots: 4 * texts.length, title: texts.join(" "), details: texts }),
    );
    /** The specification, what draws it, what unpacks that, and what was unpacked. */
    expect(await page.evaluate(`document.querySelectorAll("script").length`)).toBe(4);
    expect(deeds).toEqual([]);
    await page.close();
  });
});
