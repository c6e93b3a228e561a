import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unavailable } from "../../front-ends/available.ts";
import { closePages, workerContext } from "../../front-ends/browser.ts";
import { buildSite } from "../build-once.ts";
import { openPage, PATIENCE_MS, withCells } from "./open-page.ts";
import { type Site, serveSite } from "./site.ts";

const MAX_BYTES = 1_230_000;

const BELL = `import { qasm, run } from "ketbook";
await run(qasm\`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1]; bit[2] c = measure q;\`).shots(1000)`;

describe.skipIf(unavailable("chromium"))("the first result", { timeout: PATIENCE_MS }, () => {
  let folder: string;
  let site: Site;

  beforeAll(async () => {
    folder = await buildSite();
    site = await serveSite(folder, { isolated: true });
  }, 2 * PATIENCE_MS);
  afterAll(async () => {
    await closePages();
    await site?.close();
  });

  test("of a Bell pair is there as text after 1.23 MB, compressed; its chart and types are loaded after it", async () => {
    const context = await workerContext();
    const requested = new Set<string>();
    const { promise: isShown, resolve: show } = Promise.withResolvers<void>();
    context.on("request", request => requested.add(new URL(request.url()).pathname.slice(1)));
    await context.route(/\/(?:chunks\/(?:renderer|assistant)-|types\.js|service-worker\.js)/, async route => {
      await isShown;
      await route.continue();
    });
    const opened = await openPage(site, await withCells(BELL));
    const { page } = opened;
    await page.getByRole("button", { name: "Run all cells" }).click();
    const output = page.locator(".outputs pre");
    await expect.poll(() => output.innerText().catch(() => ""), { timeout: PATIENCE_MS }).toMatch(/\b11\b/);
    const later = /^(?:types\.js|chunks\/(?:renderer|assistant)-|service-worker\.js|$)/;
    const loaded = [...requested].filter(file => !later.test(file)).sort();
    show();
    await page.locator("figure[data-chart] svg").waitFor();
    await expect.poll(() => [...requested]).toContain("types.js");
    const sizes = [...loaded, "index.html"].map(
      file => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
    );
    expect(loaded).toContain("sqlite3.wasm");
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
    await context.unrouteAll();
    await opened.close();
  });
});
