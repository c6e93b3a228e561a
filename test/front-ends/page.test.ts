import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chart, histogram } from "../../src/charts/index.ts";
import { hostileTexts } from "../display/records.ts";
import { lacking } from "./available.ts";
import { startBrowser, watchedPage } from "./browser.ts";

const drawnHere = `document.querySelector("figure").getAttribute("role") === "graphics-document"`;

describe.skipIf(lacking("chromium"))("a page with a chart, opened as a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-page-"));
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function opened(chart: Chart) {
    const path = join(folder, "chart.html");
    chart.save(path);
    const watched = await watchedPage(browser);
    await watched.page.goto(pathToFileURL(path).href);
    return watched;
  }

  test("draws itself, answers to the pointer, and asks the network for nothing", async () => {
    const { page, deeds } = await opened(histogram({ counts: { "00": 503, "11": 497 }, shots: 1000 }));
    expect(await page.evaluate(drawnHere)).toBe(true);
    await page.locator("figure .mark-rect path[aria-label*='count: 503']").hover();
    expect(await page.evaluate(`document.querySelector("figure").title`)).toContain("count: 503");
    expect(deeds).toEqual([]);
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

  test.each(hostileTexts.map(text => [JSON.stringify(text.slice(0, 30)), text]))(
    "runs nothing of %s",
    async (_, text) => {
      const { page, deeds } = await opened(
        histogram({ counts: { [text]: 3, [`${text}2`]: 1 }, shots: 4, title: text, details: [text] }),
      );
      expect(await page.evaluate(drawnHere)).toBe(true);
      expect(await page.evaluate(`document.querySelectorAll("script").length`)).toBe(2);
      expect(deeds).toEqual([]);
      await page.close();
    },
  );
});
