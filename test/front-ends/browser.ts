import { createRequire } from "node:module";
import { chromiumPath, fileOf } from "./available.ts";

/** The parts of a page of playwright-core that these tests use. */
export interface Page {
  setContent(html: string): Promise<void>;
  goto(url: string): Promise<unknown>;
  addScriptTag(script: { content: string }): Promise<unknown>;
  evaluate<T, A>(run: ((argument: A) => T | Promise<T>) | string, argument?: A): Promise<T>;
  locator(selector: string): { screenshot(options?: object): Promise<Buffer>; hover(): Promise<void> };
  on(event: string, listener: (event: PageEvent) => void): void;
  close(): Promise<void>;
}

interface PageEvent {
  message?: string | (() => string);
  dismiss?(): Promise<void>;
  url?(): string;
}

/** A browser that ends when it is closed. */
export interface Browser {
  newPage(options?: object): Promise<Page>;
  close(): Promise<void>;
}

/** Starts headless Chromium without its own errands on the network. */
export function startBrowser(): Promise<Browser> {
  const { chromium } = createRequire(import.meta.url)(fileOf("playwright-core")) as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--font-render-hinting=none",
      "--disable-lcd-text",
    ],
  });
}

/** A page, and everything that it did beyond showing something: dialogs, errors, requests. */
export async function watchedPage(browser: Browser): Promise<{ page: Page; deeds: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  const deeds: string[] = [];
  page.on("dialog", event => {
    deeds.push("a dialog");
    void event.dismiss?.();
  });
  page.on("pageerror", event => deeds.push(`an error: ${event.message}`));
  page.on("request", event => {
    const url = event.url?.() ?? "";
    if (!/^(data|blob|about|file):/.test(url)) deeds.push(`a request for ${url}`);
  });
  return { page, deeds };
}
