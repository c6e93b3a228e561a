import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkOf } from "../../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../../src/browser/page/notebook.ts";
import { notebookText } from "../../../src/ipynb/text.ts";
import { unavailable } from "../../front-ends/available.ts";
import { closePages, livelyIn } from "../../front-ends/browser.ts";
import { buildSite } from "../build-once.ts";
import { drop, openPage, PATIENCE_MS, runAll } from "./open-page.ts";
import { type Site, serveSite } from "./site.ts";

const TAKE = "document.title = `taken`";
const ELSEWHERE = "https://elsewhere.example/";
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${TAKE}"><script>${TAKE}</script><image href="${ELSEWHERE}i.png"/></svg>`;

/** HTML that would run, load, send, navigate, or lie over the page. */
const HTML = [
  `<img src="${ELSEWHERE}i.png"><img src=x onerror="${TAKE}"><img srcset="${ELSEWHERE}j.png 2x">`,
  `<a href="javascript:${TAKE}">a</a><a href="java&#10;script:${TAKE}">b</a><a href="data:text/html,<script>${TAKE}</script>">c</a>`,
  `<div style="background: url(${ELSEWHERE}b.png); position: fixed; inset: 0; z-index: 99">over</div>`,
  `<style>@import "${ELSEWHERE}s.css"; #bar { background: url(${ELSEWHERE}c.png?k=1) }</style><link rel="stylesheet" href="${ELSEWHERE}t.css">`,
  `<base href="${ELSEWHERE}"><meta http-equiv="refresh" content="0; url=${ELSEWHERE}"><iframe srcdoc="<script>parent.${TAKE}</script>"></iframe>`,
  `<form action="${ELSEWHERE}"><input name="key" autofocus onfocus="${TAKE}"><button>send</button></form><object data="${ELSEWHERE}o"></object>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${TAKE}&gt;"></table></mtext></math>`,
  `<div id="bar" class="cell error" name="cookie">clobbers</div><video src="${ELSEWHERE}v"></video><audio autoplay src="${ELSEWHERE}a"></audio>`,
  SVG,
];

const MARKDOWN = [
  ...HTML,
  `[link](javascript:${TAKE}) ![picture](${ELSEWHERE}m.png) ![svg](data:image/svg+xml;base64,${btoa(SVG)})`,
  `<${ELSEWHERE}auto> [data](data:text/html;base64,${btoa(`<script>${TAKE}</script>`)})`,
];

const CHARTS = [
  { data: { url: `${ELSEWHERE}data.json` }, mark: "bar" },
  {
    data: { values: [{ a: 1 }] },
    mark: { type: "image", url: `${ELSEWHERE}mark.png`, href: `javascript:${TAKE}` },
    encoding: { x: { field: "a" } },
  },
  {
    data: { values: [{ a: 1 }] },
    transform: [{ calculate: "constructor.constructor('document.title = `taken`')()", as: "b" }],
    mark: "point",
    encoding: { href: { value: `javascript:${TAKE}` }, x: { field: "b" } },
  },
];

describe.skipIf(unavailable("chromium"))("a stranger's notebook", { timeout: PATIENCE_MS }, () => {
  let site: Site;

  beforeAll(async () => {
    site = await serveSite(await buildSite(), { isolated: true, isKept: false });
  }, 2 * PATIENCE_MS);
  afterAll(async () => {
    await closePages();
    await site?.close();
  });

  test("in a link runs, loads and sends nothing, neither by its text nor by what its cells show", async () => {
    const cells = [
      newCell("markdown", "# A stranger's"),
      newCell("markdown", "# menu\n\n[back](#A-stranger's) [broken](#%)\n\n# bar"),
      ...MARKDOWN.map(text => newCell("markdown", text)),
      ...HTML.map(text => newCell("code", `%%html\n${text}`)),
      newCell("code", `%%svg\n${SVG}`),
      newCell("code", `%%markdown\n${MARKDOWN.join("\n\n")}`),
    ];
    const opened = await openPage(site, await linkOf(newNotebook(cells)));
    const { page } = opened;
    await expect.poll(() => page.locator(".prose").first().innerText()).toBe("A stranger's");
    expect(await page.locator(".outputs > *").count()).toBe(0);
    const pages = opened.context.pages();
    await runAll(page);
    await expect.poll(() => page.locator(".outputs > *").count()).toBeGreaterThanOrEqual(HTML.length);
    expect(await page.evaluate(livelyIn("#notebook"))).toEqual([]);
    expect(
      await page
        .locator("#notebook :is(iframe, object, form, style, link, base, meta, video, audio)")
        .count(),
    ).toBe(0);
    expect(await page.locator("#bar, #menu").count()).toBe(2);
    for (const name of ["back", "broken"]) await page.getByRole("link", { name }).first().click();
    expect(page.url()).toContain("#n=");
    expect(opened.context.pages()).toEqual(pages);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await page.title()).toBe("A stranger's · Ketbook");
    await opened.close();
  });

  test("in a file shows its outputs, and they load, send and run nothing", async () => {
    const bundles = [
      ...CHARTS.map(spec => ({ "application/vnd.vegalite.v5+json": spec, "text/plain": "a chart" })),
      ...HTML.map(html => ({ "text/html": html, "text/plain": "html" })),
      { "image/svg+xml": SVG },
      { "text/markdown": MARKDOWN.join("\n\n") },
      { "application/javascript": TAKE, "text/plain": "a script" },
    ];
    const outputs = bundles.map(data => ({ output_type: "display_data" as const, data, metadata: {} }));
    const cell = { ...newCell("code", "1"), outputs, execution_count: 1 };
    const file = notebookText(newNotebook([newCell("markdown", "# Outputs"), cell as never]));
    const opened = await openPage(site);
    const { page } = opened;
    await drop(page, file);
    await expect.poll(() => page.locator(".title").innerText()).toBe("Outputs");
    await expect.poll(() => page.locator(".outputs > *").count()).toBe(bundles.length);
    await expect
      .poll(() => page.locator("figure[data-chart] svg, figure[data-chart] pre, .rich > pre").count())
      .toBeGreaterThanOrEqual(3);
    expect(await page.evaluate(livelyIn("#notebook"))).toEqual([]);
    expect(await page.locator("#notebook [href^='javascript']").count()).toBe(0);
    expect(await page.title()).toBe("Outputs · Ketbook");
    await opened.close();
  });
});
