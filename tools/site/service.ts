import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { writeKernels } from "../../src/simulation/statevector/build-kernels.ts";

/** The scripts of a page's service: its thread, and the workers in which it simulates. They lie beside each other. */
export const SERVICE_ENTRIES = {
  service: "src/browser/service/thread.ts",
  simulator: "src/browser/service/simulator.ts",
} as const;

/** Copies what those scripts load by name, SQLite and the kernels, into the folder in which they are. */
export async function copyServiceAssets(folder: string): Promise<void> {
  const sqlite = createRequire(import.meta.url).resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm");
  mkdirSync(folder, { recursive: true });
  copyFileSync(sqlite, join(folder, "sqlite3.wasm"));
  await writeKernels(folder);
}

/** Builds the service alone, with other scripts that speak to it. */
export async function buildService(folder: string, others: Record<string, string> = {}): Promise<void> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const bundle = await rolldown({
    cwd: root,
    input: { ...SERVICE_ENTRIES, ...others },
    platform: "browser",
    resolve: { conditionNames: ["browser", "import"] },
  });
  await bundle.write({ dir: folder, format: "esm", minify: true, chunkFileNames: "chunks/[name]-[hash].js" });
  await bundle.close();
  await copyServiceAssets(folder);
}
