import { writeFileSync } from "node:fs";
import { defineConfig } from "tsdown";
import { formatSchemas } from "./src/contract/schemas/json.ts";
import { OLDEST_NODE } from "./src/node-version.ts";
import { writeKernels } from "./src/simulation/statevector/build-kernels.ts";
import { licenceNotices, pdfChunk, vegaChunk } from "./tools/chunks.ts";
import { fontAssets } from "./tools/fonts.ts";
import { publicTypes } from "./tools/public-types.ts";
import { writeReleasedCourse } from "./tools/release-course.ts";

writeFileSync(new URL("src/contract/generated-schemas.ts", import.meta.url), formatSchemas());

const shared = {
  format: "esm",
  platform: "node",
  target: `node${OLDEST_NODE}`,
  fixedExtension: false,
  hash: false,
} as const;

/** What can be imported: `ketbook` and its subpaths. */
const library = { index: "src/index.ts", client: "src/client.ts", course: "src/course.ts" };

export default defineConfig([
  {
    ...shared,
    entry: {
      ...library,
      cli: "src/cli/index.ts",
      worker: "src/service/workers/worker.ts",
      "warm-worker": "src/service/workers/warm-worker.ts",
      "simulation-thread": "src/simulation/statevector/thread.ts",
      kernel: "src/kernels/jupyter/main.ts",
      "cell-languages": "src/openqasm-cells/index.ts",
      "kernel-cells": "src/kernels/jupyter/cells-main.ts",
      "kernel-relay": "src/kernels/jupyter/relay.ts",
      "grading-reader": "src/cli/grading/reader.ts",
      // It can read only the folder of the build, so it loads no package.
      "grading-sandbox": "src/cli/grading/sandbox.ts",
    },
    // Libraries of many small files take longer to load than to run.
    deps: { alwaysBundle: [/^(?:@hono\/node-server|hono|kysely|zod)(?:\/|$)/] },
    // A command loads only what it uses of the service's faces.
    treeshake: { moduleSideEffects: id => !/\/src\/service\/(?!workers\/)/.test(id) },
    hooks: {
      async "build:done"() {
        writeReleasedCourse("dist/course");
        await writeKernels("dist");
      },
    },
    plugins: [licenceNotices("LICENSES.txt")],
    copy: fontAssets.map(({ from, file }) => ({ from, to: "dist/fonts", rename: file })),
    dts: false,
  },
  {
    ...shared,
    format: "cjs",
    entry: { index: "src/index.cjs", client: "src/client.cjs", course: "src/course.cjs" },
    deps: { neverBundle: [/^\.\/(?:index|client|course)\.js$/] },
    clean: false,
    dts: false,
  },
  {
    ...shared,
    format: "cjs",
    // It also runs on a Node that is too old for everything else.
    target: "node14",
    entry: { "kernel-launcher": "src/kernels/launcher/main.ts" },
    outputOptions: { codeSplitting: false },
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
    entry: library,
    dts: { emitDtsOnly: true, tsconfig: "tsconfig.types.json" },
    outputOptions: {
      minifyInternalExports: false,
      chunkFileNames: ({ moduleIds }) =>
        `types/${moduleIds.some(id => id.includes("/src/notebook/")) ? "index" : "client"}.d.ts`,
    },
    plugins: [publicTypes],
    clean: false,
  },
]);
