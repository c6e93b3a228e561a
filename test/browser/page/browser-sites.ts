import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startBrowser } from "../../front-ends/browser.ts";
import { type Site, serveSite } from "./site.ts";

/** A browser, and a folder that is served with and without cross-origin isolation. */
export interface BrowserSites {
  browser: Browser;
  isolated: Site;
  plain: Site;
}

/** Starts Chromium and both sites of a folder before the tests of a suite, and ends them after these. */
export function useBrowserSites(buildFolder: () => Promise<string>, timeoutMs: number): BrowserSites {
  const started = {} as BrowserSites;
  beforeAll(async () => {
    const folder = await buildFolder();
    const [browser, isolated, plain] = await Promise.all([
      startBrowser(),
      serveSite(folder, { isolated: true }),
      serveSite(folder, { isolated: false }),
    ]);
    Object.assign(started, { browser, isolated, plain });
  }, timeoutMs);
  afterAll(async () => {
    await started.browser?.close();
    await Promise.all([started.isolated?.close(), started.plain?.close()]);
  });
  return started;
}
