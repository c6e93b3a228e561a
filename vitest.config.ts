import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { include: ["src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
});
