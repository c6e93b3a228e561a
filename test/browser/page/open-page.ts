import type { BrowserContext, Page, Request, WebError } from "playwright-core";
import { expect } from "vitest";
import { linkOf } from "../../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../../src/browser/page/notebook.ts";
import { closePages, workerContext } from "../../front-ends/browser.ts";
import type { Site } from "./site.ts";

/** For how long a test in a browser waits at most, on a machine that is busy with others. */
export const PATIENCE_MS = 120_000;

/** A page of a site that no browser has opened before. */
export interface OpenPage {
  context: BrowserContext;
  page: Page;
  /** Its errors, and its requests to origins that it may not speak to. */
  faults: string[];
  /** Closes it and others beside it, and expects no faults. */
  close(): Promise<void>;
  /** Closes it and others beside it. */
  leave(): Promise<void>;
}

/** Opens a page of a site, which may speak to `allowed` addresses besides. Then the site moves to another origin. */
export async function openPage(site: Site, hash = "", allowed: readonly string[] = []): Promise<OpenPage> {
  const context = await workerContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  const origins = [site.url, ...allowed];
  const noteError = (error: WebError) => faults.push(error.error().message);
  const noteRequest = (request: Request) => {
    const url = request.url();
    if (!origins.some(each => url.startsWith(each)) && !/^(?:data|blob):/.test(url))
      faults.push(`a request to ${url}`);
  };
  context.on("weberror", noteError).on("request", noteRequest);
  const page = await context.newPage();
  await page.goto(site.url + hash);
  await page.locator(".cell").first().waitFor();
  const leave = async () => {
    await closePages();
    context.off("weberror", noteError).off("request", noteRequest);
    await context.setOffline(false);
    await forget(context, site.url);
    site.move();
  };
  return {
    context,
    page,
    faults,
    leave,
    async close() {
      await leave();
      expect(faults).toEqual([]);
    },
  };
}

/** Ends the service workers of an origin, and removes all that it keeps. */
export async function forget(context: BrowserContext, url: string): Promise<void> {
  const session = await context.newCDPSession(context.pages()[0]!);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await session.send("Storage.clearDataForOrigin", { origin: new URL(url).origin, storageTypes: "all" });
  await session.detach();
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
