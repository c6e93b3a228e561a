import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { writeKernels } from "../../src/simulation/statevector/build-kernels.ts";
import { smallerSqlite } from "./sqlite.ts";
import { withoutUnusedParts } from "./unused-parts.ts";

/** The scripts of a page's service: its thread, and the workers in which it simulates, with their threads. They lie beside each other. */
export const SERVICE_ENTRIES = {
  service: "src/browser/service/thread.ts",
  simulator: "src/browser/service/simulator.ts",
  "simulation-thread": "src/browser/service/simulation-thread.ts",
} as const;

/** Writes what those scripts load by name, SQLite and the kernels, into the folder in which they are. */
export async function copyServiceAssets(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "sqlite3.wasm"), smallerSqlite());
  await writeKernels(folder);
}

/** Builds the service alone, with other scripts that speak to it. */
export async function buildService(folder: string, others: Record<string, string> = {}): Promise<void> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const bundle = await rolldown({
    cwd: root,
    input: { ...SERVICE_ENTRIES, ...others },
    platform: "browser",
    plugins: [withoutUnusedParts],
    resolve: { conditionNames: ["browser", "import"] },
  });
  await bundle.write({ dir: folder, format: "esm", minify: true, chunkFileNames: "chunks/[name]-[hash].js" });
  await bundle.close();
  await copyServiceAssets(folder);
}
