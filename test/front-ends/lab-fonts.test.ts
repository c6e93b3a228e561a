import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jupyterDisplay } from "../../src/display/index.ts";
import { pathOf, unavailable } from "./available.ts";
import { labPage, labScript } from "./lab.ts";
import { wideCharts } from "./wide-charts.ts";

/** Texts of a chart that leave its picture, and those that touch. */
const faults = `(() => {
  const picture = document.querySelector("#output svg").getBoundingClientRect();
  const texts = [...document.querySelectorAll("#output svg text")]
    .filter(({ textContent }) => textContent.trim())
    .map(text => ({ words: text.textContent, box: text.getBoundingClientRect() }));
  const isCut = ({ box: { left, right, top, bottom } }) =>
    left < picture.left - 1 || right > picture.right + 1 || top < picture.top - 2 || bottom > picture.bottom + 2;
  const touch = ({ box: one }, { box: other }) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 5;
  return {
    cut: texts.filter(isCut).map(({ words }) => words),
    touching: texts.flatMap((one, index) =>
      texts.slice(index + 1).filter(other => touch(one, other)).map(other => one.words + " / " + other.words)),
  };
})()`;

describe.skipIf(unavailable("chromium"))("live charts in JupyterLab, where Inter is not installed", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: pathOf("chromium"),
      args: ["--no-sandbox", "--disable-gpu"],
    });
    page = await browser.newPage();
    await page.setContent(labPage("light").replaceAll(/@font-face \{[^}]*\}/g, ""));
    await page.addScriptTag({ content: await labScript() });
  });
  afterAll(() => browser?.close());

  test.each(wideCharts().map(chart => [String(chart).slice(0, 60), chart] as const))(
    "%s: no text is cut or touches another",
    async (_, chart) => {
      await page.evaluate(
        data =>
          (globalThis as unknown as { showOutput(...output: unknown[]): unknown }).showOutput(data, {}, true),
        chart[jupyterDisplay](),
      );
      await expect.poll(() => page.evaluate(faults)).toEqual({ cut: [], touching: [] });
    },
  );
});
