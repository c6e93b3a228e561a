import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { linkOf } from "../../../src/browser/page/link.ts";
import { unavailable } from "../../front-ends/available.ts";
import { type FirefoxTab, startFirefox } from "../../front-ends/firefox.ts";
import { buildSite } from "../build-once.ts";
import { readNotebook } from "./notebooks.ts";
import { PATIENCE_MS } from "./open-page.ts";
import { type Site, serveSite } from "./site.ts";

/** A script for a page: which cell runs and what it shows, as long as there is one. */
const RUNNING = `document.querySelector("#bar:not(.busy)") ? "" : [...document.querySelectorAll(".code")]
  .flatMap(({ dataset, innerText }, index) => dataset.state === "running" ? "cell " + index + ": " + innerText : [])
  .join() || "none yet"`;

describe.skipIf(unavailable("firefox"))("the page in Firefox", { timeout: 2 * PATIENCE_MS }, () => {
  let sites: { isolated: Site; plain: Site };
  let tab: FirefoxTab;

  beforeAll(async () => {
    const folder = await buildSite();
    sites = {
      isolated: await serveSite(folder, { isolated: true }),
      plain: await serveSite(folder, { isolated: false }),
    };
    tab = await startFirefox();
  }, 2 * PATIENCE_MS);
  // A link to the page that is open would not load it again.
  afterEach(() => tab.open("about:blank"));
  afterAll(() => Promise.all([tab?.close(), sites?.isolated.close(), sites?.plain.close()]));

  test.for([
    ["tour.ipynb", "isolated"],
    ["gallery.ipynb", "plain"],
  ] as const)(
    "runs all of %s where the page is %s, with no error and no request to another origin",
    async ([file, name]) => {
      const site = sites[name];
      await tab.open(site.url + (await linkOf(readNotebook(file))));
      const count = (selector: string) =>
        tab.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
      // The first visit of a plain site loads it twice.
      await expect.poll(() => tab.evaluate("crossOriginIsolated")).toBe(true);
      await expect.poll(() => count(".cell.code")).toBeGreaterThan(5);
      expect(await count(".outputs > *")).toBe(0);
      await tab.evaluate(`document.querySelector('[aria-label="Run all cells"]').click()`);
      const running = () => tab.evaluate(RUNNING);
      await expect.poll(running, { timeout: PATIENCE_MS }).toBe("");
      expect(
        await tab.evaluate("[...document.querySelectorAll('.error')].map(each => each.textContent).join()"),
      ).toBe("");
      await expect.poll(() => count("figure[data-chart] svg")).toBeGreaterThanOrEqual(5);
      const elsewhere = tab.requests.filter(
        url =>
          ![sites.isolated, sites.plain].some(each => url.startsWith(each.url)) &&
          !/^(?:data|blob|about):/.test(url),
      );
      expect([elsewhere, tab.errors]).toEqual([[], []]);
    },
  );
});
