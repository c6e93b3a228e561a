import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { pathOf } from "./available.ts";
import { writeFontConfiguration } from "./fontconfig.ts";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-lcd-text",
];

/** Starts headless Chromium with the library's fonts, and without its own errands on the network. */
export async function startBrowser(): Promise<Browser> {
  const { folder, options } = withFonts();
  const browser = await chromium.launch(options);
  browser.on("disconnected", () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

function withFonts() {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-fonts-"));
  const env = { ...process.env, FONTCONFIG_FILE: writeFontConfiguration(folder) };
  return { folder, options: { executablePath: pathOf("chromium"), env, args: ARGS } };
}

let ofWorker: Promise<BrowserContext> | undefined;

/**
 * The first context of a browser that all files of a worker share, which ends with the worker. What its pages keep is on a disk,
 * where it takes less time than in the memory of other contexts. Nothing moves in it without need.
 */
export const workerContext = (): Promise<BrowserContext> => (ofWorker ??= startWorkerBrowser());

/** The browser that all files of a worker share. */
export const workerBrowser = async (): Promise<Browser> => (await workerContext()).browser()!;

async function startWorkerBrowser(): Promise<BrowserContext> {
  const { folder, options } = withFonts();
  const profile = join(folder, "profile");
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    artifactsDir: join(folder, "artifacts"),
    handleSIGTERM: false,
    reducedMotion: "reduce",
    viewport: { width: 1000, height: 800 },
  });
  const pid = Number(execFileSync("pgrep", ["--oldest", "--full", profile]));
  const end = () => {
    process.kill(-pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  };
  // A worker is ended by a signal, and has half a second then.
  process.once("SIGTERM", () => {
    end();
    process.kill(process.pid, "SIGTERM");
  });
  return context;
}

/** Closes the pages that a file has opened in the browser of its worker. */
export async function closePages(): Promise<void> {
  const shared = await ofWorker;
  if (!shared) return;
  const others = shared
    .browser()!
    .contexts()
    .filter(context => context !== shared);
  await Promise.all(others.map(context => context.close()));
  for (const page of shared.pages()) if (page.url() !== "about:blank") await page.close();
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
