import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../../src/ipynb/format.ts";
import { collectOutputs } from "../../../src/ipynb/outputs.ts";
import { unavailable } from "../../front-ends/available.ts";
import { rows, summaryOf } from "../../kernels/jupyter/working-day.ts";
import { buildSite } from "../build-once.ts";
import { openPage, PATIENCE_MS } from "../page/open-page.ts";
import { type Site, serveSite } from "../page/site.ts";

/** What a page has not: modules of Node, files, and timers that are objects. */
const OF_NODE =
  /['"](?:node:|fs|path\b|data:|\.\/|\.?lib|nope)|\b(?:process|Buffer|global|setImmediate|__dirname|import\.meta)\b|\.once\(|\.unref\(|^setTimeout/;

/** Bundles what runs cells in a page, as a script whose value is that function. */
async function bundleClient(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("page/client.ts", import.meta.url)),
    platform: "browser",
    resolve: { conditionNames: ["browser", "import"] },
  });
  const { output } = await bundle.generate({ format: "iife", name: "client" });
  await bundle.close();
  return `${output[0].code}; client.runCells`;
}

describe.skipIf(unavailable("chromium"))("the kernel of a page", { timeout: PATIENCE_MS }, () => {
  let site: Site;

  beforeAll(async () => {
    const folder = await buildSite();
    site = await serveSite(folder, { isolated: true, isKept: false });
  }, 2 * PATIENCE_MS);
  afterAll(async () => {
    await site?.close();
  });

  test("puts out what the kernel of Jupyter does, for all cells of a working day that need no Node", async () => {
    const own = rows.filter(([cells]) => !cells.some(cell => OF_NODE.test(cell)));
    expect(own.length).toBeGreaterThan(250);
    const opened = await openPage(site, "?open=empty");
    const runCells = await opened.page.evaluateHandle<(cells: string[]) => Promise<Message[]>>(
      await bundleClient(),
    );
    const messages = await runCells.evaluate(
      (run, cells) => run(cells),
      own.flatMap(([cells]) => cells),
    );
    const collected = collectOutputs(1e6);
    let count = 0;
    const opens = own.map(([cells]) => {
      count += cells.length;
      return collected.open(String(count - 1));
    });
    for (const message of messages) collected.take(message);
    expect(own.map(([cells], index) => [cells, summaryOf(opens[index]!.outputs)])).toEqual(own);
    await opened.close();
  });
});
