import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
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
