import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebookPage } from "../../src/cli/ipynb/page.ts";
import { code } from "../../src/display/cell.ts";
import { card, deviceTable } from "../../src/display/index.ts";
import type { Cell } from "../../src/ipynb/format.ts";
import { calibration } from "../charts/calibrations.ts";
import { device } from "../display/records.ts";
import { unavailable } from "./available.ts";
import { closePages, workerBrowser } from "./browser.ts";

const devices = ["Auckland", "Brisbane", "Forte"].map(name =>
  device({
    name: `${name} (emulated)`,
    qrn: `vendor:emulated:qpu:${name.toLowerCase()}`,
    deviceType: "QPU",
    status: "UNAVAILABLE",
    pricing: { perTask: 30, perShot: 0.145, perMinute: 9600 },
  }),
);
const calibrations = new Map(
  devices.map(({ qrn }) => [qrn, { ...calibration(3, [[0, 1, 0.0082]]), deviceQrn: qrn }]),
);
const longLine = `const sum = ${Array.from({ length: 60 }, (_, index) => `value${index}`).join(" + ")};`;
const wide = `<div style="overflow-x:auto"><table><tr>${"<td>a wide column</td>".repeat(40)}</tr></table></div>`;
const cell = (source: string, html: string): Cell => ({
  cell_type: "code",
  id: "cell",
  metadata: {},
  source,
  execution_count: 1234,
  outputs: [{ output_type: "execute_result", execution_count: 1, data: { "text/html": html }, metadata: {} }],
});

/** Whether columns of the table are seen whole without scrolling, and whether a region that scrolls is shaded. */
const measure = `(() => {
  const [first, second] = document.querySelectorAll(".cell");
  const box = element => element.getBoundingClientRect();
  const table = first.querySelector("table");
  const edge = box(table.parentElement).right;
  const scrolling = [...second.querySelectorAll("pre, div")].filter(each => each.scrollWidth > each.clientWidth + 1);
  return {
    apart: box(second.querySelector("pre")).right <= box(second.querySelector(".count")).left,
    seen: [...table.querySelectorAll("th")].filter(each => box(each).right <= edge + 1).map(each => each.textContent),
    scrolling: scrolling.length,
    shaded: scrolling.every(each => getComputedStyle(each).backgroundAttachment.includes("local")),
    page: document.documentElement.scrollWidth <= innerWidth,
  };
})()`;

describe.skipIf(unavailable("chromium"))("the page of an executed notebook", () => {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-executed-"));
  let browser: Browser;

  beforeAll(async () => {
    browser = await workerBrowser();
    const { html } = deviceTable(devices, { calibrations });
    const cells = [cell("devices()", html), cell(longLine, wide)];
    writeFileSync(join(folder, "page.html"), notebookPage({ metadata: {}, cells }, { name: "p", note: "" }));
  });
  afterAll(async () => {
    await closePages();
    rmSync(folder, { recursive: true });
  });

  test("breaks a long name in a card on a phone, where nothing scrolls", async () => {
    const { html } = card({
      title: "Run",
      facts: [["Expected fidelity", code(`group:${"a4bae279".repeat(6)}`)]],
    });
    const path = join(folder, "card.html");
    const cells = [cell("group()", html)];
    writeFileSync(path, notebookPage({ metadata: {}, cells }, { name: "p", note: "" }));
    const page = await browser.newPage({ viewport: { width: 380, height: 800 } });
    await page.goto(pathToFileURL(path).href);
    const wide = `[...document.querySelectorAll(".rich, .rich div")].filter(each => each.scrollWidth > each.clientWidth)`;
    expect(await page.evaluate(`${wide}.length`)).toBe(0);
    await page.close();
  });

  const chosenBy = ["Device", "Qubits", "Two-qubit error", "Price (credits)"];
  test.each([
    [1280, [...chosenBy, "Queue", "Vendor"]],
    [900, [...chosenBy, "Queue", "Vendor"]],
    [600, chosenBy],
  ])(
    "%i pixels wide shows what devices are chosen by, and what scrolls is shaded, beside its number",
    async (width, columns) => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.goto(pathToFileURL(join(folder, "page.html")).href);
      expect(await page.evaluate(measure)).toEqual({
        apart: true,
        seen: columns,
        scrolling: 2,
        shaded: true,
        page: true,
      });
      await page.close();
    },
  );
});
