import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { interactive } from "../../src/charts/interaction/interactive.ts";
import { displayable, jupyterDisplay, type MimeBundle } from "../../src/display/index.ts";
import { plainBundle } from "../../src/kernels/values/plain-value.ts";
import { hostileCharts } from "../charts/hostile.ts";
import { everyForm } from "../display/every-form.ts";
import { hostileTexts } from "../display/records.ts";
import { openSession } from "../kernels/jupyter/session.ts";
import { unavailable } from "./available.ts";
import { closePages, livelyIn, watchedPage, workerBrowser } from "./browser.ts";
import { labPage, labScript, type Theme } from "./lab.ts";
import { objects } from "./objects.ts";
import { difference, fromReference } from "./picture.ts";

/** At most this share of pixels may differ from the reference. */
const tolerance = 0.01;
const vega = "application/vnd.vegalite.v5+json";

const lively = livelyIn("#output");

describe.skipIf(unavailable("chromium"))("in JupyterLab", () => {
  const shown = objects().map(({ name, bundle }) => {
    let made: MimeBundle | undefined;
    return { name, bundle: () => (made ??= bundle()) };
  });
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    [browser, script] = await Promise.all([workerBrowser(), labScript()]);
  });
  afterAll(closePages);

  async function lab(theme: Theme): Promise<{ page: Page; deeds: string[] }> {
    const watched = await watchedPage(browser);
    await watched.page.setContent(labPage(theme));
    await watched.page.addScriptTag({ content: script });
    await watched.page.evaluate("document.fonts.ready.then(() => {})");
    return watched;
  }

  /** Shows an output as JupyterLab does; the type of what it chose. */
  const show = (page: Page, data: MimeBundle, trusted: boolean): Promise<string> =>
    page.evaluate(
      ({ data, trusted }) =>
        (globalThis as unknown as { showOutput(...output: unknown[]): Promise<string> }).showOutput(
          data,
          {},
          trusted,
        ),
      { data, trusted },
    );

  describe.each<Theme>(["light", "dark"])("on a %s page", theme => {
    let page: Page;
    let deeds: string[];
    beforeAll(async () => {
      ({ page, deeds } = await lab(theme));
    });

    test.each(shown.map(({ name, bundle }) => [name, bundle] as const))(
      "%s looks as it should, whether the notebook is trusted or not",
      async (name, bundle) => {
        const data = bundle();
        const shoot = () => page.locator("#output").screenshot();
        const chosen = await show(page, data, true);
        expect(chosen).toBe(vega in data ? vega : "text/html");
        expect(fromReference(`${name}-${theme}`, await shoot())).toBeLessThan(tolerance);
        expect(deeds).toEqual([]);
        // Trust makes the same difference in each theme.
        if (theme === "dark") return;
        await page.evaluate(`document.body.className = "proportional"`);
        const trusted = await shoot();
        expect(await show(page, data, false)).toBe(chosen);
        expect(difference(trusted, await shoot())).toBeLessThan(tolerance);
        await page.evaluate(`document.body.className = ""`);
        expect(deeds).toEqual([]);
      },
    );

    test("the still picture of a chart stands where Vega does not", async () => {
      const { [vega]: _, ...still } = shown.find(({ name }) => name === "histogram")!.bundle();
      expect(await show(page, still, false)).toBe("image/png");
      expect(deeds).toEqual([]);
    });
  });

  test("the value of a cell that becomes final soon or after a while is shown as it is then", async () => {
    const session = await openSession();
    const { page } = await lab("light");
    for (const [price, delay] of [
      ["175 credits", 20],
      ["190 credits", 600],
    ] as const) {
      const { messages } = await session.run(`var price = "asking …";
({
  [Symbol.for("Jupyter.display")]: () => ({ "text/html": "<b>" + price + "</b>", "text/plain": price }),
  settled: () => new Promise<void>(done => setTimeout(() => { price = "${price}"; done(); }, ${delay})),
});`);
      const kept = await page.evaluate(
        messages => (globalThis as unknown as { takeMessages(all: object): object[] }).takeMessages(messages),
        messages,
      );
      expect(kept).toMatchObject([{ data: { "text/plain": price }, metadata: {} }]);
      await expect.poll(() => page.locator("#output").innerText()).toBe(price);
    }
  });

  test("signs of dollar and TeX's brackets begin a formula only in a person's own markup", async () => {
    const { page } = await lab("light");
    const formulas = (data: MimeBundle, trusted: boolean) =>
      show(page, data, trusted).then(() => page.locator("#output mjx-container").count());
    for (const text of ["cost $5 to $6", "$$x$$", String.raw`\(x\)`, String.raw`\[x\]`])
      for (const trusted of [true, false]) {
        const forms = Object.values(everyForm(text)).map(form => displayable(form)[jupyterDisplay]());
        for (const data of [...forms, plainBundle([{ [text]: text }])])
          expect(await formulas(data, trusted)).toBe(0);
        expect(await formulas({ "text/html": `<b>${text}</b>` }, trusted)).toBe(1);
      }
  });

  describe("nothing runs", () => {
    let page: Page;
    let deeds: string[];
    beforeAll(async () => {
      ({ page, deeds } = await lab("light"));
    });

    test.each(hostileTexts.map(text => [JSON.stringify(text.slice(0, 30)), text]))(
      "with %s everywhere",
      async (_, text) => {
        const forms = Object.values(everyForm(text)).map(form => displayable(form)[jupyterDisplay]());
        /** JupyterLab draws charts alike whether they are trusted or not, and has no use for their pictures. */
        const charts = hostileCharts(text).map(chart => ({ [vega]: interactive(chart.spec) }));
        const found = await page.evaluate(
          `(async shown => {
            const found = [];
            for (const [data, trusted] of shown) {
              const type = await showOutput(data, {}, trusted);
              found.push([type, ...${lively}]);
            }
            return found;
          })(${JSON.stringify([
            ...forms.flatMap(form => [true, false].map(trusted => [form, trusted])),
            ...charts.map(chart => [chart, true]),
          ])})`,
        );
        expect(found).toEqual([
          ...forms.flatMap(() => [["text/html"], ["text/html"]]),
          ...charts.map(() => [vega]),
        ]);
        expect(deeds).toEqual([]);
      },
    );
  });
});
