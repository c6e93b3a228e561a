import { writeFileSync } from "node:fs";
import { defineConfig } from "tsdown";
import { fontAssets } from "./src/charts/fonts.ts";
import { type Emitter, pdfChunk, vegaChunk } from "./src/charts/vega/chunk.ts";
import { formatSchemas } from "./src/contract/schemas.ts";
import { OLDEST_NODE } from "./src/node-version.ts";
import { writeKernels } from "./src/simulation/statevector/build-kernels.ts";

writeFileSync(new URL("src/contract/generated-schemas.ts", import.meta.url), formatSchemas());

const shared = {
  format: "esm",
  platform: "node",
  target: `node${OLDEST_NODE}`,
  fixedExtension: false,
  hash: false,
} as const;

const PACKAGES_AND_PRIVATES = /^(?:import (?:.* from )?["'](?:zod|undici|node:util)["']| +#private);\n/gm;

/** What the public types name and a notebook's libraries may lack; where they have it, the declarations merge. */
const GLOBALS = `
declare global {
	interface AbortSignal {}
	interface SymbolConstructor {
		readonly asyncDispose: unique symbol
	}
}
`;

/** Gives names that the bundler numbered, as it does beside members of the same name, back as they were. */
function ownNames(code: string): string {
  const numbered = Array.from(code.matchAll(/\b(\w+)\$1 as \1\b/g), ([, name = ""]) => name);
  return numbered
    .filter(
      name =>
        !new RegExp(`^(?:declare )?(?:const|function|class|interface|type) ${name}\\b(?!\\$)`, "m").test(
          code,
        ),
    )
    .reduce(
      (text, name) => text.replaceAll(`${name}$1 as ${name}`, name).replaceAll(`${name}$1`, name),
      code,
    );
}

/**
 * The public types import nothing, since every notebook cell is checked against them: a package that only schemas
 * name would cost each cell half a second. They check by themselves under any TypeScript from 5.0 on, and there are
 * two copies, for ES modules and for CommonJS.
 */
const publicTypes = {
  name: "public-types",
  renderChunk: (code: string, { fileName }: { fileName: string }) =>
    fileName.endsWith(".d.ts") ? ownNames(code.replace(PACKAGES_AND_PRIVATES, "")) + GLOBALS : null,
  generateBundle(this: Emitter, _options: unknown, bundle: { [file: string]: { code?: string } }) {
    this.emitFile({ type: "asset", fileName: "index.d.cts", source: bundle["index.d.ts"]!.code! });
  },
};

export default defineConfig([
  {
    ...shared,
    entry: {
      index: "src/index.ts",
      cli: "src/cli/main.ts",
      worker: "src/service/workers/worker.ts",
      "simulation-thread": "src/simulation/statevector/thread.ts",
      kernel: "src/kernels/jupyter/main.ts",
      "kernel-server": "src/kernels/jupyter/server.ts",
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
  ...[vegaChunk, pdfChunk].map(chunk => ({
    ...shared,
    ...chunk,
    deps: { alwaysBundle: /./ },
    minify: true,
    clean: false,
    dts: false as const,
  })),
  {
    ...shared,
    entry: { index: "src/index.ts" },
    dts: { emitDtsOnly: true },
    plugins: [publicTypes],
    clean: false,
  },
]);
