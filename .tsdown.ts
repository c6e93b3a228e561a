import { defineConfig } from "tsdown";
import { fontAssets } from "./src/charts/fonts.ts";
import { vegaChunk } from "./src/charts/vega/chunk.ts";
import { OLDEST_NODE } from "./src/node-version.ts";
import { writeKernels } from "./src/simulation/statevector/build-kernels.ts";

const shared = {
  format: "esm",
  platform: "node",
  target: `node${OLDEST_NODE}`,
  fixedExtension: false,
  hash: false,
} as const;

/**
 * The public types import nothing and are small, since every notebook cell is checked against them: a package that
 * only schemas name would cost each cell half a second.
 */
const smallTypes = {
  name: "small-types",
  renderChunk: (code: string) =>
    code
      .replace(/^import (?:.* from )?["'](?:zod|undici|node:util)["'];\n/gm, "")
      .replace(/^ +#private;\n/gm, "")
      .replace(/^(?: {2})+/gm, spaces => "\t".repeat(spaces.length / 2))
      .replace(/\{\n\t+(\[\w+: string\]: [^\n]*);\n\t+\}/g, "{ $1 }")
      .replace(/(?<=\n\t* \* [^@\n]+)\n\t* \* (?=[^@\n])/g, " ")
      .replace(/\/\*\*\n\t* \* (.*)\n\t* \*\//g, "/** $1 */")
      .replace(/;(?=\n\t*[}\w/])/g, "")
      .replace(/ \{\n\}/g, " {}"),
};

export default defineConfig([
  {
    ...shared,
    entry: {
      index: "src/index.ts",
      cli: "src/cli/main.ts",
      worker: "src/service/dispatch/worker.ts",
      "simulation-thread": "src/simulation/statevector/thread.ts",
      "tslab-launch": "src/kernels/tslab/launch.ts",
      "tslab-control": "src/kernels/tslab/control-thread.ts",
    },
    hooks: { "build:done": () => writeKernels("dist") },
    copy: fontAssets().map(({ from, file }) => ({ from, to: "dist/fonts", rename: file })),
    dts: false,
  },
  {
    ...shared,
    format: "cjs",
    entry: { index: "src/index.cjs" },
    deps: { neverBundle: ["./index.js"] },
    clean: false,
    dts: false,
  },
  { ...shared, ...vegaChunk, deps: { alwaysBundle: /./ }, minify: true, clean: false, dts: false },
  {
    ...shared,
    entry: { index: "src/index.ts" },
    dts: { emitDtsOnly: true },
    plugins: [smallTypes],
    clean: false,
  },
]);
