import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { unavailable } from "../../front-ends/available.ts";
import { closePages } from "../../front-ends/browser.ts";
import { buildSite } from "../build-once.ts";
import { outputs, PATIENCE_MS, replaceCells, sharedPage } from "./open-page.ts";
import { type Site, serveSite } from "./site.ts";

describe.skipIf(unavailable("chromium"))("the keyboard of the page", { timeout: PATIENCE_MS }, () => {
  let site: Site;
  let page: Page;
  const shared = sharedPage(() => site);

  beforeAll(async () => {
    site = await serveSite(await buildSite(), { isolated: true, isKept: false });
  }, 2 * PATIENCE_MS);
  beforeEach(async () => {
    page = await shared.page();
    await replaceCells(page, "1", "2\n3", "4");
    await page.locator(".cm-content").first().click();
    await page.keyboard.press("Escape");
    await expect.poll(selected).toBe(0);
  });
  afterAll(async () => {
    await shared.close();
    await closePages();
    await site?.close();
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const cells = () =>
    page.locator(".cell").evaluateAll(all =>
      all.map(cell => {
        const lines = Array.from(
          cell.querySelectorAll(".cm-line"),
          line => (line as { textContent: string }).textContent,
        );
        return `${cell.className.split(" ")[1]}: ${lines.join("\n")}`;
      }),
    );
  const selected = () =>
    page.locator(".cell").evaluateAll(all => all.findIndex(cell => cell.classList.contains("selected")));
  const isEdited = () => page.evaluate<boolean>("document.activeElement.classList.contains('cm-content')");

  test("selects by j, k and arrows, edits by Enter, and leaves by Esc", async () => {
    await press("j", "ArrowDown");
    await expect.poll(selected).toBe(2);
    await press("k", "ArrowUp", "k");
    await expect.poll(selected).toBe(0);
    await press("Enter");
    await expect.poll(isEdited).toBe(true);
    await press("Escape");
    await expect.poll(isEdited).toBe(false);
  });

  test("inserts, deletes, restores, cuts, copies and pastes cells, and changes their kinds", async () => {
    await press("b");
    await expect.poll(cells).toEqual(["code: 1", "code: ", "code: 2\n3", "code: 4"]);
    await press("a", "m");
    await expect
      .poll(async () => (await cells()).map(each => each.split(":")[0]))
      .toEqual(["code", "markdown", "code", "code", "code"]);
    await press("y", "d", "d", "d", "d");
    await expect.poll(cells).toEqual(["code: 1", "code: 2\n3", "code: 4"]);
    await press("z");
    await expect.poll(cells).toHaveLength(4);
    await press("d", "d", "c", "v");
    await expect.poll(cells).toEqual(["code: 1", "code: 2\n3", "code: 2\n3", "code: 4"]);
    await press("x");
    await expect.poll(cells).toEqual(["code: 1", "code: 2\n3", "code: 4"]);
  });

  test("splits a cell at the cursor, and merges it with the next", async () => {
    await press("j", "Enter", "Control+Home", "End", "Control+Shift+Minus");
    await expect.poll(cells).toEqual(["code: 1", "code: 2", "code: 3", "code: 4"]);
    await expect.poll(isEdited).toBe(true);
    await press("Escape", "k", "Shift+M");
    await expect.poll(cells).toEqual(["code: 1", "code: 2\n\n3", "code: 4"]);
    await press("Control+Shift+ArrowDown");
    await expect.poll(cells).toEqual(["code: 1", "code: 4", "code: 2\n\n3"]);
  });

  test("runs by Shift, Ctrl and Alt with Enter", async () => {
    await press("Shift+Enter");
    await expect.poll(selected).toBe(1);
    await expect.poll(async () => (await outputs(page))[0]).toBe("1");
    await press("Control+Enter");
    await expect.poll(async () => (await outputs(page))[1]).toBe("3");
    expect(await selected()).toBe(1);
    await press("Alt+Enter");
    await expect.poll(cells).toEqual(["code: 1", "code: 2\n3", "code: ", "code: 4"]);
    await expect.poll(isEdited).toBe(true);
  });

  test("writes into the cell that Shift+Enter in the last one adds, and saves nothing", async () => {
    let downloads = 0;
    page.on("download", () => (downloads += 1));
    await press("j", "j", "Shift+Enter");
    await page.keyboard.type("6*7;// s");
    await expect.poll(async () => (await cells())[3]).toBe("code: 6*7;// s");
    await press("Escape", "Control+Enter");
    await expect.poll(async () => (await outputs(page))[3]).toBe("42");
    expect(downloads).toBe(0);
  });

  test("closes what is offered for a name when the cell is run", async () => {
    await press("j", "j", "Control+Enter");
    const offered = page.locator(".cm-tooltip-autocomplete");
    for (const keys of ["Shift+Enter", "Control+Enter"]) {
      await page.locator(".cm-content").first().click();
      const isOffered = async () => {
        await press("Control+a");
        await page.keyboard.type("Math.ab", { delay: 20 });
        return offered.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
      };
      await expect.poll(isOffered, { timeout: PATIENCE_MS }).toBe(true);
      await press(keys);
      await expect.poll(() => offered.count()).toBe(0);
      await page.locator(".cm-content").first().click();
      await press("Control+a");
      await page.keyboard.type("Math.ab");
      await press(keys);
      await page.waitForTimeout(1000);
      expect(await offered.count()).toBe(0);
    }
  });

  test("hides outputs by o, numbers lines by L, restarts by 0 0, interrupts by i i, and helps by h", async () => {
    await press("Control+Enter");
    await expect.poll(async () => (await outputs(page))[0]).toBe("1");
    await press("o");
    await expect.poll(() => page.locator(".outputs").first().isVisible()).toBe(false);
    await press("o");
    await expect.poll(() => page.locator(".outputs").first().isVisible()).toBe(true);
    await press("Shift+L");
    await expect.poll(() => page.locator(".cm-lineNumbers").count()).toBe(3);
    await press("Shift+L");
    await expect.poll(() => page.locator(".cm-lineNumbers").count()).toBe(0);
    await press("0", "0", "Control+Enter");
    await expect.poll(() => page.locator(".count").first().innerText()).toBe("1");
    await page.locator(".cell").first().getByRole("button", { name: "Run cell" }).click();
    await expect.poll(() => page.locator(".count").first().innerText()).toBe("2");
    await press("b", "Enter");
    await page.keyboard.type("await new Promise(() => {})");
    await press("Control+Enter");
    await page.locator("[data-state=running]").waitFor();
    await press("i", "i");
    await expect.poll(async () => (await outputs(page))[1]).toContain("interrupted");
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await press("ArrowUp", "Enter");
    await expect.poll(() => page.locator("dialog").innerText()).toContain("split the cell at the cursor");
    await press("Escape", "h");
    await expect.poll(() => page.locator("dialog").count()).toBe(1);
    await press("Escape");
  });
});
