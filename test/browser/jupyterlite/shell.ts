import { cpSync } from "node:fs";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { buildOnce, buildSite, runTool, SITE_SOURCES } from "../build-once.ts";
import { readNotebook } from "../page/notebooks.ts";
import { PATIENCE_MS } from "../page/open-page.ts";
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

/** A browser context for the shell, and what pages in it did that they should not. */
export interface ShellContext {
  context: BrowserContext;
  /** Opens the shell in a tab, at the first notebook or at others by `search`. */
  open(search?: string): Promise<Page>;
  /** Closes it, and expects that no page had an error or asked another origin for something. */
  close(): Promise<void>;
}

/** Opens a context for the shell of a site. */
export async function openShell(browser: Browser, site: Site): Promise<ShellContext> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  context.on("weberror", error => faults.push(error.error().message));
  context.on("console", message => {
    if (message.type() === "error") faults.push(message.text());
  });
  context.on("request", request => {
    const url = request.url();
    if (!url.startsWith(site.url) && !/^(?:data|blob):/.test(url)) faults.push(`a request to ${url}`);
  });
  return {
    context,
    async open(search = "") {
      const page = await context.newPage();
      await page.goto(site.url + LAB + search);
      await idle(page);
      return page;
    },
    async close() {
      await context.close();
      expect(faults).toEqual([]);
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
