import { cpSync } from "node:fs";
import type { BrowserContext, ConsoleMessage, Locator, Page, Request, WebError } from "playwright-core";
import { expect } from "vitest";
import { closePages, workerContext } from "../../front-ends/browser.ts";
import { buildOnce, buildSite, runTool, SITE_SOURCES } from "../build-once.ts";
import { readNotebook } from "../page/notebooks.ts";
import { forget, PATIENCE_MS } from "../page/open-page.ts";
import type { Site } from "../page/site.ts";

/** Returns what is written beside the code cells of a notebook that have been run in order. */
export const promptsOf = (file: string): string[] =>
  readNotebook(file)
    .cells.filter(cell => cell.cell_type === "code")
    .map((_, index) => `[${index + 1}]:`);

/** Where on the site the shell is. */
export const LAB = "jupyterlite/lab/";

/** Builds the page with the JupyterLite shell, and returns the folder of both. */
export const buildShell = (): Promise<string> =>
  buildOnce("jupyterlite", SITE_SOURCES, async draft => {
    cpSync(await buildSite(), draft, { recursive: true });
    await runTool("tools/site/jupyterlite/build.ts", draft);
  });

/** A shell that no browser has opened before, and what its pages did that they should not. */
export interface Shell {
  context: BrowserContext;
  /** Opens the shell in a tab, at the first notebook or at others by `search`. */
  open(search?: string): Promise<Page>;
  /** Expects that no page had an error or asked another origin for something. */
  expectNoFaults(): void;
  /** Closes its pages, and expects that they had no faults. */
  close(): Promise<void>;
}

/** Prepares the shell of a site, which moves to another origin in the end. */
export async function openShell(site: Site): Promise<Shell> {
  const context = await workerContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  const noteError = (error: WebError) => faults.push(error.error().message);
  const noteMessage = (message: ConsoleMessage) => {
    if (message.type() === "error") faults.push(message.text());
  };
  const noteRequest = (request: Request) => {
    const url = request.url();
    if (!url.startsWith(site.url) && !/^(?:data|blob):/.test(url)) faults.push(`a request to ${url}`);
  };
  context.on("weberror", noteError).on("console", noteMessage).on("request", noteRequest);
  const expectNoFaults = () => expect(faults).toEqual([]);
  return {
    context,
    expectNoFaults,
    async open(search = "") {
      const page = await context.newPage();
      await page.setViewportSize({ width: 1200, height: 900 });
      await page.goto(site.url + LAB + search);
      await idle(page);
      return page;
    },
    async close() {
      await closePages();
      context.off("weberror", noteError).off("console", noteMessage).off("request", noteRequest);
      await context.setOffline(false);
      await forget(context, site.url);
      site.move();
      expectNoFaults();
    },
  };
}

/** Waits until the notebook that is open has a kernel, which has nothing to do. Without one it looks idle as well. */
export async function idle(page: Page): Promise<void> {
  const panel = page.locator(".jp-NotebookPanel:visible");
  await panel.locator(".jp-KernelName", { hasText: "TypeScript (Ketbook)" }).waitFor();
  await panel.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").waitFor();
}

/** Opens a menu of the bar, and chooses something in it. */
export async function choose(page: Page, menu: string, ...items: readonly string[]): Promise<void> {
  await page.locator(".lm-MenuBar-itemLabel", { hasText: menu }).first().click();
  for (const item of items) await page.locator(".lm-Menu-itemLabel").getByText(item, { exact: true }).click();
}

/** The cells of the notebook that is open. */
export const cellsOf = (page: Page): Locator => page.locator(".jp-NotebookPanel:visible .jp-Cell");

/** Opens a new notebook with our kernel. */
export async function newNotebook(page: Page): Promise<void> {
  await choose(page, "File", "New", "Notebook");
  await expect.poll(() => cellsOf(page).count()).toBe(1);
  await idle(page);
}

/** Writes a cell at the end of the notebook, and runs it, without waiting for its end. Returns the cell. */
export async function run(page: Page, source: string): Promise<Locator> {
  const cells = cellsOf(page);
  const index = (await cells.count()) - 1;
  await cells.nth(index).locator(".cm-content").click();
  await page.keyboard.insertText(source);
  await page.keyboard.press("Shift+Enter");
  await expect.poll(() => cells.count()).toBe(index + 2);
  return cells.nth(index);
}

/** What a cell shows below it, as text. */
export const outputOf = async (cell: Locator): Promise<string> =>
  (await cell.locator(".jp-OutputArea-output").allInnerTexts()).join("\n").trim();
