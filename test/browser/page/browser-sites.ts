import { afterAll, beforeAll } from "vitest";
import { closePages } from "../../front-ends/browser.ts";
import { type Site, serveSite } from "./site.ts";

/** A folder that is served with and without cross-origin isolation. */
export interface BrowserSites {
  isolated: Site;
  plain: Site;
}

/** Starts both sites of a folder before the tests of a suite, and ends them after these. The isolated one may keep nothing in browsers. */
export function useBrowserSites(
  buildFolder: () => Promise<string>,
  timeoutMs: number,
  { isKept = true } = {},
): BrowserSites {
  const started = {} as BrowserSites;
  beforeAll(async () => {
    const folder = await buildFolder();
    const [isolated, plain] = await Promise.all([
      serveSite(folder, { isolated: true, isKept }),
      serveSite(folder, { isolated: false }),
    ]);
    Object.assign(started, { isolated, plain });
  }, timeoutMs);
  afterAll(async () => {
    await closePages();
    await Promise.all([started.isolated?.close(), started.plain?.close()]);
  });
  return started;
}
