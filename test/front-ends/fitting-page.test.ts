import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { IMimeBundle } from "@jupyterlab/nbformat";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chart, comparison } from "../../src/charts/index.ts";
import { notebookPage } from "../../src/cli/ipynb/page.ts";
import { displayMetadata, jupyterDisplay } from "../../src/display/bundle.ts";
import { bars, facet, grid, heatmap, histogram, line, scatter } from "../../src/index.ts";
import type { Cell } from "../../src/ipynb/format.ts";
import { pathOf, unavailable } from "./available.ts";
import { charts } from "./objects.ts";

const names = ["ibm:emulated:qpu:brisbane-with-a-suffix", "iqm:garnet", "quantinuum:h2-1", "量子ビット"];
const rows = names.flatMap((device, row) =>
  Array.from({ length: 30 }, (_, x) => ({ device, x, y: Math.sin(x / 9 + row), low: -1, high: 1 })),
);
const last = rows.filter(({ x }) => x === 9);
const many = Object.fromEntries(
  Array.from({ length: 90 }, (_, i) => [i.toString(2).padStart(7, "0"), 95 - i]),
);

/** Charts of each kind, with names longer than a phone is wide. */
function wideCharts(): Chart[] {
  const lines = line(rows, { x: "x", y: "y", series: "device" });
  return [
    ...Object.values(charts()),
    lines,
    line(last, {
      x: "device",
      y: "y",
      title: "a title of many words that has no room on a phone ".repeat(2),
    }),
    scatter(rows, { x: "x", y: "y", label: "device" }),
    bars(last, { x: "device", y: "y", low: "low", high: "high" }),
    bars(last, { x: "device", y: "y", horizontal: true }),
    bars(
      rows.filter(({ x }) => x < 4),
      { x: "device", y: "y", series: "x" },
    ),
    heatmap(Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (_, j) => i * j))),
    heatmap(Array.from({ length: 60 }, (_, i) => Array.from({ length: 60 }, (_, j) => i * j))),
    histogram(many, { top: 60 }),
    histogram(many, { top: 12 }),
    histogram(rows.map(({ y }) => y)),
    facet(rows, { by: "device" }, (part: typeof rows) => line(part, { x: "x", y: "y" })),
    grid([
      lines,
      comparison([
        { label: "one", counts: many },
        { label: "two", counts: many },
      ]),
    ]),
    line(
      rows.map(row => ({ ...row, y: 10 ** (row.y * 6) })),
      { x: "x", y: { field: "y", scale: "log" }, series: "device" },
    ),
  ] as Chart[];
}

/** Measures of a page's charts: which are live, wider than their place, or have texts beyond their picture. */
const measures = `[...document.querySelectorAll("figure[data-chart]")].map((figure, number) => {
  const picture = figure.querySelector("svg, img").getBoundingClientRect();
  const isOutside = ({ left, right, width }) => width > 0 && (left < picture.left - 1 || right > picture.right + 1);
  return {
    number,
    isLive: figure.getAttribute("role") === "graphics-document",
    isWide: figure.scrollWidth > figure.clientWidth,
    cut: [...figure.querySelectorAll("text")].filter(text => isOutside(text.getBoundingClientRect())).map(text => text.textContent),
  };
}).filter(({ isLive, isWide, cut }) => !isLive || isWide || cut.length > 0)`;

describe.skipIf(unavailable("chromium"))("a page of 25 charts in a browser without Inter", () => {
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
    expect(cells).toHaveLength(25);
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
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
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
