import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { linkOf } from "../../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../../src/browser/page/notebook.ts";
import type { Site } from "./site.ts";

/** For how long a test in a browser waits at most, on a machine that is busy with others. */
export const PATIENCE_MS = 120_000;

/** A page in a browser context of its own. */
export interface OpenPage {
  context: BrowserContext;
  page: Page;
  /** Its errors, and its requests to origins that it may not speak to. */
  faults: string[];
  close(): Promise<void>;
}

/** Opens a page of a site, which may speak to `allowed` addresses besides. */
export async function openPage(
  browser: Browser,
  site: Site,
  hash = "",
  allowed: readonly string[] = [],
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  context.on("weberror", error => faults.push(error.error().message));
  context.on("request", request => {
    const url = request.url();
    const isAllowed = [site.url, ...allowed].some(each => url.startsWith(each));
    if (!isAllowed && !/^(?:data|blob):/.test(url)) faults.push(`a request to ${url}`);
  });
  const page = await context.newPage();
  await page.goto(site.url + hash);
  await page.locator(".cell").first().waitFor();
  return {
    context,
    page,
    faults,
    async close() {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

/** A link to a notebook of some code cells. */
export const withCells = (...sources: string[]): Promise<string> =>
  linkOf(newNotebook(sources.map(source => newCell("code", source))));

/** Runs all cells, and waits until they have ended. */
export async function runAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Run all cells" }).click();
  await ended(page);
}

/** Waits until no cell runs. */
export const ended = (page: Page): Promise<void> => page.locator("#bar:not(.busy)").waitFor();

/** The outputs of the code cells, as text. */
export const outputs = async (page: Page): Promise<string[]> =>
  (await page.locator(".code .outputs").allInnerTexts()).map(text => text.trim());
