import { readFileSync } from "node:fs";
import { findCircles, findCycles, findForbidden } from "./arrows.ts";
import { readImports } from "./imports.ts";
import { readRooms } from "./rooms.ts";

/** Prints what in `src` departs from the table of rooms in docs/architecture.md: node test/architecture/lint.ts */
const path = (name: string) => new URL(`../../${name}`, import.meta.url);
const rooms = readRooms(readFileSync(path("docs/architecture.md"), "utf8"));
const imports = readImports(path("src").pathname);
const faults = [
  ...findForbidden(imports, rooms),
  ...findCycles(imports).map(files => `These files import each other: ${files.join(", ")}.`),
  ...findCircles(rooms).map(names => `These rooms import each other: ${names.join(", ")}.`),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length) process.exitCode = 1;
