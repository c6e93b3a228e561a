import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Processes that tests start from the sources strip and compile each file once, and not at every start.
const compiled = new URL("node_modules/.cache/ketbook/compiled", import.meta.url);
if (!process.argv.some(option => option.startsWith("--coverage")))
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(compiled);

// Language servers of kernels that live for seconds need not save memory.
process.env.GOGC ??= "400";

// These scripts build before they test.
if (/^test(?::front-ends|:postgres)?$/.test(process.env.npm_lifecycle_event ?? "")) process.env.KETBOOK_BUILT = "1";

/** Tests of pure functions. */
const PURE = ["charts", "display", "results", "simulation"].map(folder => `test/${folder}/**/*.test.ts`);

/** Tests of simulations that take seconds each: programs as long, nested or expanding as they may be, and many random ones. */
const THOROUGH = "test/simulation/thorough/**/*.test.ts";

/** Tests of what a process has once: the names of its cells, its terminal. */
const ISOLATED = ["test/kernels/cells/**/*.test.ts", "test/notebook/progress.test.ts"];

/** Tests that look through browsers, JupyterLab, JupyterLite or tslab, and the short reliability trials. */
const FRONT_ENDS = [
  "test/browser/{jupyterlite,page,service}/**/*.test.ts",
  "test/browser/kernel/working-day.test.ts",
  "test/front-ends/**/*.test.ts",
  "test/docs/{site,tslab}.test.ts",
  "test/reliability/**/*.test.ts",
];

/**
 * Begins with the files whose tests may take a minute or more, so that none of them is left alone at the end. A worker is kept
 * for the next file of its project, so projects run one after the other.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const projects = ["library", "isolated", "thorough", "pure", "front-ends"];
    const isLong = ({ moduleId }: TestSpecification) =>
      /\b(?:[6-9]\d|\d{3})_000\b/.test(readFileSync(moduleId, "utf8"));
    const ranks = new Map(
      files.map(file => [file, 2 * projects.indexOf(file.project.name) + (isLong(file) ? 0 : 1)]),
    );
    return files.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
  }
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "pure", include: PURE, exclude: [THOROUGH] } },
      { extends: true, test: { name: "thorough", include: [THOROUGH] } },
      {
        extends: true,
        test: { name: "library", include: ["test/**/*.test.ts"], exclude: [...PURE, ...ISOLATED, ...FRONT_ENDS] },
      },
      { extends: true, test: { name: "isolated", include: ISOLATED, isolate: true } },
      { extends: true, test: { name: "front-ends", include: FRONT_ENDS } },
    ],
    // Files of one worker share their imports, so each file ends what it starts and restores what it changes.
    isolate: false,
    // Node imports the sources itself, as in the tests' processes: names that are imported are read faster than through Vite.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ["test/setup.ts"],
    globalSetup: process.env.KETBOOK_CONTRACT_PROCESSES ? ["test/contract/processes.ts"] : [],
    // Many tests wait for other processes.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
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
