import { describe, expect, test } from "vitest";
import { linkOf } from "../../../src/browser/page/link.ts";
import { unavailable } from "../../front-ends/available.ts";
import { buildSite } from "../build-once.ts";
import { useBrowserSites } from "./browser-sites.ts";
import { LESSONS, readNotebook } from "./notebooks.ts";
import { ended, openPage } from "./open-page.ts";

/** Which of them run, with the gallery: two in CI, and all where `KETBOOK_LESSONS` is set. */
const files = process.env.KETBOOK_LESSONS
  ? ["gallery.ipynb", ...LESSONS]
  : LESSONS.filter(file => /\/0[58]/.test(file));
const MAX_MS = 240_000;

describe.skipIf(unavailable("chromium"))("lessons in the page", { timeout: MAX_MS }, () => {
  const sites = useBrowserSites(buildSite, MAX_MS);

  test.for(files.map((file, index) => [file, index % 2 === 0 ? "isolated" : "plain"] as const))(
    "%s runs to its end where the page is %s, with no error and no request to another origin",
    async ([file, name]) => {
      const notebook = readNotebook(file);
      const charts = notebook.cells.filter(cell => /"image\/png"/.test(JSON.stringify(cell)));
      const hash = await linkOf(notebook);
      const opened = await openPage(name === "isolated" ? sites.isolated : sites.plain, hash);
      const { page } = opened;
      const complaints: string[] = [];
      page.on("console", message => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      await page.getByRole("button", { name: "Run all cells" }).click();
      await page.locator("#bar.busy").waitFor();
      await ended(page);
      expect(await page.locator(".error").allInnerTexts()).toEqual([]);
      await expect
        .poll(() => page.locator("figure[data-chart] svg").count())
        .toBeGreaterThanOrEqual(charts.length);
      expect(complaints).toEqual([]);
      await opened.close();
    },
  );
});
