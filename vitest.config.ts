import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Processes that tests start from the sources strip and compile each file once, and not at every start.
const compiled = new URL("node_modules/.cache/ketbook/compiled", import.meta.url);
if (!process.argv.some(option => option.startsWith("--coverage")))
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(compiled);

/** Tests of pure functions, which share their imports: files of one worker run in one module graph. */
const PURE = ["charts", "display", "results", "simulation"].map(folder => `test/${folder}/**/*.test.ts`);

/** Tests that look through browsers, JupyterLab, JupyterLite or tslab, and the short reliability trials. */
const FRONT_ENDS = [
  "test/browser/{jupyterlite,page,service}/**/*.test.ts",
  "test/browser/kernel/working-day.test.ts",
  "test/front-ends/**/*.test.ts",
  "test/docs/{site,tslab}.test.ts",
  "test/reliability/**/*.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      {
        extends: true,
        test: { name: "library", include: ["test/**/*.test.ts"], exclude: [...PURE, ...FRONT_ENDS] },
      },
      { extends: true, test: { name: "front-ends", include: FRONT_ENDS } },
    ],
    maxWorkers: "100%",
    // Threads of several isolates that strip types in WebAssembly crash V8 when its calls of JavaScript are optimized.
    execArgv: ["--wasm-wrapper-tiering-budget=2147483647"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // On a shared machine a browser or a kernel may starve once; what fails twice is a fault. Retries are reported.
    retry: process.env.CI === undefined ? 0 : 1,
    coverage: { include: ["src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
});
