import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { IMimeBundle } from "@jupyterlab/nbformat";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebookPage } from "../../src/cli/ipynb/page.ts";
import { displayMetadata, jupyterDisplay } from "../../src/display/bundle.ts";
import type { Cell } from "../../src/ipynb/format.ts";
import { pathOf, unavailable } from "./available.ts";
import { wideCharts } from "./wide-charts.ts";

/** Measures of a page's charts: which are live, wider than their place, or have texts beyond their picture or too small to read; the numbers
 * on a map of 127 qubits, chart 3, are small. */
const measures = `[...document.querySelectorAll("figure[data-chart]")].map((figure, number) => {
  const picture = figure.querySelector("svg, img").getBoundingClientRect();
  const isOutside = ({ left, right, width }) => width > 0 && (left < picture.left - 1 || right > picture.right + 1);
  return {
    number,
    isLive: figure.getAttribute("role") === "graphics-document",
    isWide: figure.scrollWidth > figure.clientWidth,
    small: number === 3 ? [] : [...figure.querySelectorAll("text")].filter(text => parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b) < 7.5 && text.textContent !== "").map(text => text.textContent),
    cut: [...figure.querySelectorAll("text")].filter(text => isOutside(text.getBoundingClientRect())).map(text => text.textContent),
  };
}).filter(({ isLive, isWide, small, cut }) => !isLive || isWide || small.length > 0 || cut.length > 0)`;

describe.skipIf(unavailable("chromium"))("a page of 27 charts in a browser without Inter", () => {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-fitting-"));
  const path = join(folder, "charts.html");
  let browser: Browser;

  beforeAll(async () => {
    const cells: Cell[] = wideCharts().map(chart => ({
      ...{ cell_type: "code", id: "c", metadata: {}, source: "chart", execution_count: 1 },
      outputs: [
        {
          output_type: "display_data",
          data: chart[jupyterDisplay]() as IMimeBundle,
          metadata: chart[displayMetadata]() as never,
        },
      ],
    }));
    expect(cells).toHaveLength(27);
    writeFileSync(path, notebookPage({ metadata: {}, cells }, { name: "n", note: "" }));
    browser = await chromium.launch({
      executablePath: pathOf("chromium"),
      args: ["--no-sandbox", "--disable-gpu"],
    });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each([380, 800, 1400])(
    "fits %i pixels once it is live, cuts no text, and keeps its height",
    async width => {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      await page.goto(pathToFileURL(path).href);
      await page.waitForLoadState("networkidle");
      let height = 0;
      const isSteady = async () => {
        const last = height;
        height = await page.evaluate<number>("document.documentElement.scrollHeight");
        return height === last;
      };
      await expect.poll(isSteady, { interval: 2000, timeout: 60_000 }).toBe(true);
      for (let top = 0; top < height; top += 700) {
        await page.evaluate(`scrollTo(0, ${top})`);
        await page.waitForTimeout(60);
      }
      await expect.poll(() => page.evaluate(measures), { timeout: 60_000 }).toEqual([]);
      const grown = (await page.evaluate<number>("document.documentElement.scrollHeight")) - height;
      expect(Math.abs(grown)).toBeLessThan(30);
      const faces = await page.evaluate(
        `[...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family)`,
      );
      expect(faces).toContain("Inter");
      await page.close();
    },
    120_000,
  );
});
