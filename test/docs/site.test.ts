import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unavailable } from "../front-ends/available.ts";
import { closePages, watchedPage, workerBrowser } from "../front-ends/browser.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ketbook-site-"));
let pages: string[] = [];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, "tools/docs/build.ts"), folder]);
  pages = readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter(path => path.endsWith(".html"))
    .sort();
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(folder, path), "utf8");
/** What an attribute has in a page, each time. */
const attributes = (path: string, name: string) =>
  Array.from(read(path).matchAll(new RegExp(` ${name}="([^"]*)"`, "g")), ([, value]) =>
    value!.replaceAll("&#39;", "'").replaceAll("&amp;", "&"),
  );

test("the site has the guide, the reference, the course, the gallery, the service's API and how to operate it", () => {
  for (const name of readdirSync(join(root, "docs/guide")))
    expect(pages).toContain(`guide/${name.replace(".md", ".html")}`);
  for (const name of readdirSync(join(root, "notebooks/course")).filter(each => each.endsWith(".ipynb")))
    expect(pages).toContain(`course/${name.replace(".ipynb", ".html")}`);
  expect(pages).toEqual(
    expect.arrayContaining([
      "index.html",
      "gallery.html",
      "operating.html",
      "reference/functions.html",
      "service/api.html",
    ]),
  );
});

test("every example is followed by what it shows, and none failed", () => {
  for (const path of pages) expect(read(path), path).not.toContain('<div class="error">');
  for (const path of pages.filter(each => /^(?:guide\/results|course\/0|gallery)/.test(each)))
    expect(read(path).match(/<figure data-chart/g)?.length, path).toBeGreaterThan(1);
});

test("every exercise of the course is left to the reader", () => {
  for (const path of pages.filter(each => /^course\/\d/.test(each))) {
    expect(read(path), path).toContain("✗ not yet");
    expect(read(path), path).not.toMatch(/✓ right|(?:BEGIN|END) SOLUTION/);
  }
});

test("links within the site lead somewhere", () => {
  const ids = new Map(pages.map(path => [path, new Set(attributes(path, "id"))]));
  const files = new Set(readdirSync(folder));
  const isBroken = (path: string, href: string) => {
    const [file = "", hash] = href.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!ids.has(target)) return !files.has(target);
    return hash !== undefined && !ids.get(target)!.has(decodeURIComponent(hash));
  };
  const broken = pages.flatMap(path =>
    attributes(path, "href")
      .filter(href => !/^\w+:/.test(href) && isBroken(path, href))
      .map(href => `${path} → ${href}`),
  );
  expect(broken).toEqual([]);
});

test("the reference has a section for everything that the library exports", async () => {
  const headings = pages
    .filter(path => path.startsWith("reference/"))
    .flatMap(path => Array.from(read(path).matchAll(/<h2 id="([^"]+)"/g), ([, id]) => id));
  const modules = [
    import("../../src/index.ts"),
    import("../../src/client.ts"),
    import("../../src/course.ts"),
  ];
  const names = (await Promise.all(modules)).flatMap(Object.keys);
  expect(names.filter(name => !headings.includes(name))).toEqual([]);
});

describe.skipIf(unavailable("chromium"))("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await workerBrowser();
  });
  afterAll(closePages);

  test("every page opens without an error, and asks for nothing from elsewhere", async () => {
    const { page, deeds } = await watchedPage(browser);
    for (const path of pages) {
      await page.goto(pathToFileURL(join(folder, path)).href, { waitUntil: "load" });
      expect(await page.title(), path).not.toBe("");
      expect(await page.locator("aside a").count(), path).toBeGreaterThan(30);
    }
    expect(deeds).toEqual([]);
    await page.close();
  }, 240_000);

  test("a lesson's stepper is moved by its slider", async () => {
    const { page } = await watchedPage(browser);
    const lesson = pages.find(path => path.startsWith("course/01"))!;
    await page.goto(pathToFileURL(join(folder, lesson)).href);
    const figures = page.locator("figure[data-chart]");
    const stepper = figures.filter({ has: page.locator("input[type=range]") }).first();
    for (const figure of await figures.all()) await figure.scrollIntoViewIfNeeded();
    await expect.poll(() => stepper.count(), { timeout: 15_000 }).toBe(1);
    const drawn = () => stepper.locator("svg").first().innerHTML();
    const before = await drawn();
    await stepper.locator("input[type=range]").fill("2");
    await expect.poll(drawn, { timeout: 15_000 }).not.toBe(before);
    await page.close();
  }, 60_000);

  test("the search finds the page that a person means, and leads there", async () => {
    const { page } = await watchedPage(browser);
    await page.goto(pathToFileURL(join(folder, "search.html")).href);
    for (const [words, path] of [
      ["timeouts retry", "guide/errors.html#Timeouts"],
      ["grade", "guide/grading.html"],
      ["interrupt", "guide/"],
      ["shots", "guide/running.html"],
      ["share a link", "guide/start.html#In-a-browser-tab"],
      ["best qubits", "guide/devices.html"],
    ] as const) {
      await page.fill("input", words);
      await expect.poll(() => page.locator("ol a").first().getAttribute("href")).toContain(path);
    }
    await page.locator("ol a").first().click();
    await page.waitForURL(/guide\/devices\.html/);
    await page.close();
  }, 60_000);

  test("a sidebar leads to every page, and is left out on narrow screens", async () => {
    const { page } = await watchedPage(browser);
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.goto(pathToFileURL(join(folder, "guide/running.html")).href);
    const aside = page.locator("aside");
    expect(await aside.locator("a[aria-current]").innerText()).toBe("Running");
    const linked = await aside
      .locator("a")
      .evaluateAll(links => links.map(link => (link as { href: string }).href));
    const left = pages.filter(path => !linked.includes(pathToFileURL(join(folder, path)).href));
    expect(left).toEqual(["index.html", "search.html"]);
    await page.setViewportSize({ width: 380, height: 800 });
    expect(await aside.isVisible()).toBe(false);
    await page.close();
  }, 60_000);
});
