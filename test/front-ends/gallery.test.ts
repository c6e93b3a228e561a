import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { displayable, jupyterDisplay } from "../../src/display/index.ts";
import { hostileCharts } from "../charts/hostile.ts";
import { everyForm } from "../display/every-form.ts";
import { hostileTexts } from "../display/records.ts";
import { useOwnService } from "../notebook/own-service.ts";
import { pathOf, unavailable } from "./available.ts";
import { closePages, livelyIn, watchedPage, workerBrowser } from "./browser.ts";
import { classicNotebook } from "./classic.ts";
import { executedGallery, type Shape } from "./gallery.ts";

/** A script for a page: what stands in the output areas of each code cell; pictures count when they are drawn. */
const shapesIn = (
  cell: string,
  area: string,
) => `Promise.all([...document.querySelectorAll("${cell}")].map(cell =>
  Promise.all([...cell.querySelectorAll("${area}")].map(async area => {
    const images = [...area.querySelectorAll("img")];
    await Promise.all(images.map(image => image.decode()));
    if (area.matches(".jp-RenderedImage, .output_png")) return images.length === 1 ? "picture" : "nothing";
    const box = area.getBoundingClientRect();
    return (area.textContent.trim() || images.length > 0) && box.height > 10 ? "html" : "nothing";
  }))))`;

/** Makes pages of notebooks in a folder. */
function convert(notebooks: string[], folder: string): void {
  const command = ["--to", "html", "--output-dir", folder, ...notebooks];
  execFileSync(pathOf("jupyter-nbconvert")!, command, { stdio: "ignore" });
}

/** Everything that shows texts from outside, with a hostile one in each place. */
function hostileBundles(): object[] {
  const forms = hostileTexts.flatMap(text => Object.values(everyForm(text)).map(displayable));
  // The page has charts as pictures, which are alike for every text.
  const charts = hostileTexts.slice(0, 2).flatMap(hostileCharts);
  return [...forms, ...charts].map(each => each[jupyterDisplay]());
}

/** A notebook file whose cells have these bundles as outputs. */
function notebookOf(bundles: readonly object[]): string {
  const cells = bundles.map((data, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    metadata: {},
    source: "shown",
    execution_count: index,
    outputs: [{ output_type: "display_data", data, metadata: {} }],
  }));
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

describe.skipIf(unavailable("chromium", "jupyter-nbconvert", "jupyter-notebook"))(
  "the executed gallery",
  () => {
    useOwnService();
    const folder = mkdtempSync(join(tmpdir(), "ketbook-gallery-"));
    let browser: Browser;
    let hostile: object[];
    let gallery: { notebook: string; page: string; shapes: Shape[][] };

    beforeAll(async () => {
      gallery = executedGallery(folder);
      hostile = hostileBundles();
      writeFileSync(join(folder, "hostile.ipynb"), notebookOf(hostile));
      convert([gallery.notebook, join(folder, "hostile.ipynb")], join(folder, "nbconvert"));
      browser = await workerBrowser();
    }, 240_000);
    afterAll(async () => {
      await closePages();
      rmSync(folder, { recursive: true });
    });

    async function opened(path: string): Promise<{ page: Page; deeds: string[] }> {
      const watched = await watchedPage(browser);
      await watched.page.goto(pathToFileURL(path).href);
      return watched;
    }

    test("shows each object once, as a picture, a table or a card", () => {
      const [, ...cells] = gallery.shapes;
      expect(cells.map(({ length }) => length)).toEqual(cells.map(() => 1));
      expect(cells.flat().filter(shape => shape === "picture").length).toBeGreaterThanOrEqual(10);
    });

    test("has a page of our own in which every output is seen and nothing runs", async () => {
      const { page, deeds } = await opened(gallery.page);
      const heights: number[] = await page.evaluate(
        `Promise.all([...document.querySelectorAll(".output")].map(async output => {
        await Promise.all([...output.querySelectorAll("img")].map(image => image.decode()));
        return output.getBoundingClientRect().height;
      }))`,
      );
      expect(heights).toHaveLength(gallery.shapes.flat().length);
      expect(Math.min(...heights)).toBeGreaterThan(40);
      expect(await page.evaluate(livelyIn("main"))).toEqual([]);
      expect(deeds).toEqual([]);
      await page.close();
    });

    test("is converted by nbconvert to a page that has each picture and table", async () => {
      const { page, deeds } = await opened(join(folder, "nbconvert/gallery.html"));
      expect(await page.evaluate(shapesIn(".jp-CodeCell", ".jp-OutputArea-output"))).toEqual(gallery.shapes);
      expect(await page.evaluate(livelyIn(".jp-OutputArea-output"))).toEqual([]);
      expect(deeds).toEqual([]);
      await page.close();
    }, 60_000);

    test("stands in classic Notebook with each picture and table, although it is not trusted", async () => {
      const { url, close } = await classicNotebook(folder);
      try {
        const { page, deeds } = await watchedPage(browser);
        await page.goto(`${url}/notebooks/gallery.ipynb`);
        await page.waitForFunction(
          `globalThis.Jupyter?.notebook?._fully_loaded && document.querySelectorAll(".code_cell").length === ${gallery.shapes.length}`,
        );
        expect(await page.evaluate("Jupyter.notebook.trusted")).toBe(false);
        expect(await page.evaluate(shapesIn(".code_cell", ".output_subarea"))).toEqual(gallery.shapes);
        expect(await page.evaluate(livelyIn(".output_subarea"))).toEqual([]);
        expect(deeds.filter(deed => !deed.includes(url))).toEqual([]);
        await page.evaluate("new Promise(done => Jupyter.notebook.session.delete(done, done))");
        await page.close();
      } finally {
        await close();
      }
    }, 90_000);

    test("nothing from data runs in what nbconvert makes, which cleans nothing", async () => {
      const { page, deeds } = await opened(join(folder, "nbconvert/hostile.html"));
      expect(await page.evaluate(`document.querySelectorAll(".jp-OutputArea-output").length`)).toBe(
        hostile.length,
      );
      expect(await page.evaluate(livelyIn(".jp-OutputArea-output"))).toEqual([]);
      expect(deeds).toEqual([]);
      await page.close();
    }, 90_000);
  },
);
