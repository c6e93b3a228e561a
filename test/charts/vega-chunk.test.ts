import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsdown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { histogram } from "../../src/charts/index.ts";
import { renderSvg } from "../../src/charts/render.ts";
import { vegaChunk } from "../../tools/chunks.ts";

const folder = mkdtempSync(join(tmpdir(), "ketbook-vega-"));

beforeAll(async () => {
  await build({ ...vegaChunk, config: false, outDir: folder, dts: false, logLevel: "silent" });
});

afterAll(() => rmSync(folder, { recursive: true }));

const { spec } = histogram({ counts: { "00": 503, "11": 497, "01": 3 }, shots: 1003 }, { top: 2 });

test("the bundled renderer is required at once and draws what the sources draw", () => {
  const built = createRequire(import.meta.url)(join(folder, "vega.js")) as {
    renderSvg(spec: object): string;
  };
  expect(built.renderSvg(spec)).toBe(renderSvg(spec));
});

test("it imports nothing but what Node has", () => {
  const code = readFileSync(join(folder, "vega.js"), "utf8");
  const imported = [...code.matchAll(/(?:from|import|import\()\s*["'`]([\w@./:-]+)["'`]/g)].map(
    match => match[1]!,
  );
  expect(imported.filter(name => !isBuiltin(name))).toEqual([]);
});

test("the licences of what it bundles stand beside it", () => {
  const notices = readFileSync(join(folder, "vega.LICENSES.txt"), "utf8");
  for (const name of ["vega-lite", "vega-view", "vega-scenegraph", "d3-scale"])
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((BSD-3-Clause|ISC)\\)$`, "m"));
  expect(notices).not.toMatch(/^vega-force/m);
});

test("a specification that can't be drawn is an error, not a message on the console", () => {
  expect(() =>
    renderSvg({ ...spec, layer: [{ mark: "bar", transform: [{ filter: "datum.(" }] }] }),
  ).toThrow();
});
