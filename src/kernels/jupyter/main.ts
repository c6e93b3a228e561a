import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startCells } from "./cells-process.ts";
import { exitWithInput, exitWithParent } from "./lifetime.ts";

/**
 * Ketbook's kernel. This process has the protocol, the compiler's types and all sockets; cells run in a process of their
 * own, so the kernel also answers while a cell is busy, and outlives one that ends its process.
 */
const { values: options } = parseArgs({
  options: {
    connection: { type: "string" },
    js: { type: "boolean", default: false },
    preload: { type: "boolean", default: false },
    "wait-for-types": { type: "boolean", default: false },
    "exit-with-parent": { type: "boolean", default: false },
  },
});

if (options["exit-with-parent"]) exitWithInput();
exitWithParent(() => process.exit(1));

// They start while this process still loads what it needs.
const cells = startCells(process.argv.slice(2));
const { openServer } = await import("./server.ts");
await openServer(
  {
    connection: JSON.parse(readFileSync(options.connection ?? "", "utf8")),
    folder: process.cwd(),
    language: options.js ? "javascript" : "typescript",
    preload: options.preload,
    waitForTypes: options["wait-for-types"],
  },
  cells,
);
