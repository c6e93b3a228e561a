import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { pathOf } from "./available.ts";
import { writeFontConfiguration } from "./fontconfig.ts";

/** Starts headless Chromium with the library's fonts, and without its own errands on the network. */
export async function startBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-fonts-"));
  const browser = await chromium.launch({
    executablePath: pathOf("chromium"),
    env: { ...process.env, FONTCONFIG_FILE: writeFontConfiguration(folder) },
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
  browser.on("disconnected", () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

/** A page, and everything that it did beyond showing something: dialogs, errors, requests. */
export async function watchedPage(browser: Browser): Promise<{ page: Page; deeds: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  const deeds: string[] = [];
  page.on("dialog", dialog => {
    deeds.push("a dialog");
    void dialog.dismiss();
  });
  page.on("pageerror", error => deeds.push(`an error: ${error.message}`));
  page.on("console", message => {
    if (/Content Security Policy/.test(message.text())) deeds.push(`what is refused: ${message.text()}`);
  });
  page.on("request", request => {
    if (!/^(data|blob|about|file):/.test(request.url())) deeds.push(`a request for ${request.url()}`);
  });
  return { page, deeds };
}

/**
 * A script for a page: the names of everything below a selector that could run something of its own. What is JSON,
 * and what MathJax keeps in elements of its own type, between two signs of dollar, runs nowhere.
 */
export const livelyIn = (
  selector: string,
) => `[...document.querySelectorAll("${selector} *")].flatMap(element => [
  ...(element.matches("script:not([type^='math/'], [type$='+json']), iframe, object, embed") ? [element.tagName] : []),
  ...element.getAttributeNames().filter(name => /^on/i.test(name)),
  ...["href", "src"].filter(name => /^\\s*javascript:/i.test(element.getAttribute(name) ?? "")),
])`;
