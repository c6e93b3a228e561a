import type { BrowserContext, Page, Request, WebError } from "playwright-core";
import { expect, onTestFailed, onTestFinished } from "vitest";
import { linkOf } from "../../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../../src/browser/page/notebook.ts";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { notebookText } from "../../../src/ipynb/text.ts";
import { workerContext } from "../../front-ends/browser.ts";
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

/** The faults of each page that is open. The last one takes the errors of every tab, and those behind it only their own. */
const open: string[][] = [];

/** Addresses that pages may speak to. None knows the origin of another, and a service worker outlives its page for a moment. */
const reachable = new Set<string>();

/** Opens a page of a site, which may speak to `allowed` addresses besides. Then the site moves to another origin. */
export async function openPage(site: Site, hash = "", allowed: readonly string[] = []): Promise<OpenPage> {
  const context = await workerContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  const { url: origin } = site;
  for (const each of [origin, ...allowed]) reachable.add(each);
  const others = new Set(context.pages());
  open.push(faults);
  const noteError = (error: WebError) => {
    if (open.at(-1) === faults || error.page() === page) faults.push(error.error().message);
  };
  const noteRequest = (request: Request) => {
    const url = request.url();
    if (![...reachable].some(each => url.startsWith(each)) && !/^(?:data|blob):/.test(url))
      faults.push(`a request to ${url}`);
  };
  context.on("weberror", noteError).on("request", noteRequest);
  const page = await context.newPage();
  await page.goto(origin + hash);
  await page.locator(".cell").first().waitFor();
  const leave = async () => {
    for (const each of context.pages()) if (!others.has(each)) await each.close();
    context.off("weberror", noteError).off("request", noteRequest);
    if (open.includes(faults)) open.splice(open.indexOf(faults), 1);
    for (const each of allowed) reachable.delete(each);
    await context.setOffline(false);
    await forget(context, origin);
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

const ofCells = (sources: readonly string[]) => newNotebook(sources.map(source => newCell("code", source)));

/** A link to a notebook of some code cells. */
export const withCells = (...sources: string[]): Promise<string> => linkOf(ofCells(sources));

/** Drops a file on a page. */
export const drop = (page: Page, text: string): Promise<void> =>
  page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(text)}], "b.ipynb"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }`);

/** Opens a notebook in a page in place of the shown one, whose variables are lost. Its service and types remain. */
export async function replaceNotebook(page: Page, notebook: Notebook): Promise<void> {
  await page.evaluate("for (const cell of document.querySelectorAll('.cell')) cell.dataset.old = ''");
  await drop(page, notebookText(notebook));
  const first = page.locator(".cell:not([data-old])").first();
  const agree = page.getByRole("button", { name: "Open it" });
  await first.or(agree).first().waitFor();
  if (await agree.isVisible()) await agree.click();
  await first.waitFor();
}

/** Opens a notebook of some code cells in a page in place of the shown one. */
export const replaceCells = (page: Page, ...sources: string[]): Promise<void> =>
  replaceNotebook(page, ofCells(sources));

/** Keeps a page of a site for several tests. After one that fails, the next one gets another page. */
export function sharedPage(site: () => Site) {
  let opened: OpenPage | undefined;
  return {
    async page(): Promise<Page> {
      onTestFailed(() => {
        opened = undefined;
      });
      onTestFinished(() => expect(opened?.faults.splice(0) ?? []).toEqual([]));
      if (!opened) {
        opened = await openPage(site());
        site().move();
      }
      await opened.page.bringToFront();
      return opened.page;
    },
    async close() {
      const last = opened;
      opened = undefined;
      await last?.close();
    },
  };
}

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
