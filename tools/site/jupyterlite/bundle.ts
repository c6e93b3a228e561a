import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { licenceNotices } from "../../chunks.ts";
import { forPages } from "../substitutes.ts";
import { type LabPackage, labExtensions } from "./extensions.ts";
import { gatheredStyles } from "./styles.ts";

const APACHE_LICENSE = new URL("../../../node_modules/typescript-6.0/LICENSE.txt", import.meta.url);

/** Habits of other packages: they look for Node by `eval`, and mark components for servers. */
const KNOWN_WARNINGS = new Set(["EVAL", "MODULE_LEVEL_DIRECTIVE"]);

/** A bundler's plugin that leaves out JupyterLite's own service worker, which is named by a text that is its address. */
const withoutServiceWorker = {
  name: "without-service-worker",
  resolveId: (id: string) => (id.endsWith("?text") ? "\0nothing" : null),
  load: (id: string) => (id === "\0nothing" ? 'export default ""' : null),
};

/** Bundles the scripts and styles of the shell, the folder with its packages, into another. */
export async function bundleShell(
  shell: string,
  packages: readonly LabPackage[],
  folder: string,
): Promise<void> {
  // The words of licences that some packages only name.
  const texts = {
    "Apache-2.0": readFileSync(APACHE_LICENSE, "utf8"),
    "BSD-3-Clause": readFileSync(join(shell, "node_modules/vega-canvas/LICENSE"), "utf8"),
  };
  const build = await rolldown({
    input: { main: join(shell, "main.ts") },
    platform: "browser",
    transform: { define: { __dirname: '"/"', global: "globalThis" } },
    moduleTypes: { ".svg": "text", ".raw.css": "text" },
    plugins: [
      labExtensions(shell, packages),
      gatheredStyles("styles.css", id => id.includes("@fortawesome")),
      withoutServiceWorker,
      forPages,
      licenceNotices("LICENSES.txt", texts),
    ],
    onLog(level, log, report) {
      if (!KNOWN_WARNINGS.has(log.code ?? "")) report(level, log);
    },
  });
  await build.write({
    format: "esm",
    minify: true,
    dir: folder,
    chunkFileNames: "chunks/[name]-[hash].js",
  });
  await build.close();
}
