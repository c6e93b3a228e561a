import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linkOf, notebookIn } from "../../../src/browser/page/link.ts";
import { newCell, newNotebook } from "../../../src/browser/page/notebook.ts";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { parseNotebook } from "../../../src/ipynb/parse.ts";

const sources = (notebook: Notebook | undefined) =>
  notebook?.cells.map(({ cell_type, source }) => [cell_type, source]);

test("a notebook comes out of its link as it went in", async () => {
  const cell = fc
    .tuple(fc.constantFrom("code", "markdown", "raw"), fc.string({ unit: "binary" }))
    .map(([type, source]) => newCell(type, source));
  await fc.assert(
    fc.asyncProperty(fc.array(cell), async cells => {
      const link = await linkOf(newNotebook(cells));
      expect(link).toMatch(/^#n=[\w-]+$/);
      expect(sources(await notebookIn(link))).toEqual(sources(newNotebook(cells)));
    }),
    { numRuns: 25 },
  );
});

test("the tour's link has at most 4,100 characters", async () => {
  const tour = parseNotebook(readFileSync(new URL("../../../notebooks/tour.ipynb", import.meta.url), "utf8"));
  const link = await linkOf(tour);
  expect(link.length).toBeLessThanOrEqual(4100);
  expect(sources(await notebookIn(link))).toEqual(sources(tour));
});

test("a broken link says so, and other parts of an address carry no notebook", async () => {
  const link = await linkOf(newNotebook([newCell("code", "1 + 1")]));
  for (const broken of [link.slice(0, -4), "#n=", "#n=%%%", "#n=AAAA", `${link}AAAAAAAA`])
    await expect(notebookIn(broken), broken).rejects.toThrow(/^The notebook in this link cannot be read: /);
  for (const other of ["", "#", "#A-heading"]) expect(await notebookIn(other)).toBeUndefined();
});

test("a link with more cells than a page should open is refused", async () => {
  const link = await linkOf(newNotebook(Array.from({ length: 2001 }, () => newCell("code"))));
  await expect(notebookIn(link)).rejects.toThrow("it has more than 2000 cells");
});

test("a link that unpacks to more than a browser should hold is refused", async () => {
  const packed = new Blob([new Uint8Array(20_000_000)])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = Buffer.from(await new Response(packed).arrayBuffer());
  await expect(notebookIn(`#n=${bytes.toString("base64url")}`)).rejects.toThrow("it is larger than 5 MB");
});
