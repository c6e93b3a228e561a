import { readFileSync, writeFileSync } from "node:fs";
import { areNoLarger, compareCircles, findForbidden, findLargeCircles, findModuleCircles } from "./check.ts";
import { readFaces, readImports } from "./imports.ts";
import { readModules } from "./modules.ts";

/**
 * Prints what in `src` departs from the table of modules in docs/architecture.md: node test/architecture/lint.ts.
 * With `--shrink`, it writes the circles that are left to circles.json, if they have come down.
 */
const path = (name: string) => new URL(`../../${name}`, import.meta.url);
const LIST = new URL("circles.json", import.meta.url);
const modules = readModules(readFileSync(path("docs/architecture.md"), "utf8"));
const imports = readImports(path("src").pathname);
const faces = readFaces(path("src").pathname);
const circles = findLargeCircles(imports);
const listed = JSON.parse(readFileSync(LIST, "utf8")) as string[][];
const unlisted = compareCircles(circles, listed);
const isShrunk = areNoLarger(circles, listed);
if (process.argv.includes("--shrink") && isShrunk) {
  writeFileSync(LIST, `${JSON.stringify(circles, null, 2)}\n`);
  unlisted.length = 0;
}
const faults = [
  ...findForbidden(imports, modules, faces),
  ...findModuleCircles(modules).map(names => `These modules import each other: ${names.join(", ")}.`),
  ...unlisted,
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (unlisted.length && isShrunk)
  process.stderr.write("They are no more than before: run node test/architecture/lint.ts --shrink.\n");
if (faults.length) process.exitCode = 1;
