import { defineConfig } from "tsdown";
import { fontAssets } from "./src/charts/fonts.ts";
import { vegaChunk } from "./src/charts/vega/chunk.ts";

const shared = {
  format: "esm",
  platform: "node",
  target: "node22.13",
  fixedExtension: false,
  hash: false,
} as const;

/** The public types import nothing: a package that only schemas name would cost every notebook cell its time. */
const selfContainedTypes = {
  name: "self-contained-types",
  renderChunk: (code: string) =>
    code.replace(/^import (?:.* from )?["'](?:zod|undici|node:util)["'];\n/gm, ""),
};

export default defineConfig([
  {
    ...shared,
    entry: { index: "src/index.ts", cli: "src/cli/main.ts", worker: "src/service/dispatch/worker.ts" },
    copy: [
      "src/index.cjs",
      ...fontAssets().map(({ from, file }) => ({ from, to: "dist/fonts", rename: file })),
    ],
    dts: false,
  },
  { ...shared, ...vegaChunk, deps: { alwaysBundle: /./ }, minify: true, clean: false, dts: false },
  {
    ...shared,
    entry: { index: "src/index.ts" },
    dts: { emitDtsOnly: true },
    plugins: [selfContainedTypes],
    clean: false,
  },
]);
