import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

/** What Node has by name, and a browser has not. */
const GLOBALS = ["Buffer", "process", "setImmediate", "require", "__dirname"];

/**
 * Bundles files of `src` for a browser, and lists what of them asks for Node: imports and names of globals, each with the file
 * that it is in.
 */
async function nodeIn(entries: string[]): Promise<string[]> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const found = new Set<string>();
  const add = (what: string, file: string | undefined) => found.add(`${what} in ${file?.replace(root, "")}`);
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: "browser",
    resolve: { conditionNames: ["browser", "import"] },
    transform: {
      inject: Object.fromEntries(GLOBALS.map(name => [name, [`global:${name}`, "default"]])),
    },
    plugins: [
      {
        name: "find-node",
        resolveId(id, importer) {
          if (id.startsWith("global:")) {
            if (!importer?.includes("node_modules")) add(id.slice("global:".length), importer);
            return id;
          }
          if (!id.startsWith("node:")) return null;
          add(id, importer);
          return { id, external: true };
        },
        load: id =>
          id.startsWith("global:") ? `export default globalThis.${id.slice("global:".length)}` : null,
      },
    ],
    onLog: (_level, { code, message }) => {
      if (code === "UNRESOLVED_IMPORT") add(message, undefined);
    },
  });
  await bundle.generate({ format: "esm" });
  await bundle.close();
  return [...found].sort();
}

/** What browsers run, or may run. */
const ENTRIES = {
  "the contract": "src/contract/schemas/index.ts",
  "what proves a local service": "src/contract/local.ts",
  results: "src/results/index.ts",
  simulation: "src/simulation/index.ts",
  "programs in a worker": "src/service/workers/worker.ts",
  "specifications of charts": "src/charts/stepper/stepper-spec.ts",
  display: "src/display/index.ts",
  cells: "src/kernels/cells/index.ts",
  "types of a notebook in a page": "src/browser/types/notebook-types.ts",
  "copies of a store": "src/service/store/copy.ts",
  "the page": "src/browser/page/page.ts",
  "tables of the store": "src/service/store/tables.ts",
  "SQLite as a dialect": "src/service/store/sqlite.ts",
  "the interface of the service, embedded, and its dispatcher": "src/service/embedded.ts",
  "the thread of a page's service": "src/browser/service/thread.ts",
  "a simulator of a page's service": "src/browser/service/simulator.ts",
  "the client, from a page to its service": "src/client/fetch-sender.ts",
};

test(`${Object.keys(ENTRIES).join(", ")} ask nothing of Node`, { timeout: 60_000 }, async () => {
  expect(await nodeIn(Object.values(ENTRIES))).toEqual([]);
});

test("what asks for Node is found, in one of several", { timeout: 60_000 }, async () => {
  expect(await nodeIn(["src/service/node/log-output.ts", "src/contract/local.ts"])).toEqual([
    "node:fs in src/service/node/log-output.ts",
    "node:net in src/service/node/log-output.ts",
    "process in src/service/node/log-output.ts",
  ]);
});
