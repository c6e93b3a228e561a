import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import binaryen from "assemblyscript/binaryen";

/** Exports that record changes of a database, or test SQLite. Its scripts do without them. */
const UNUSED_EXPORT = /session|changeset|changegroup|preupdate|_test_/;

/** Returns SQLite's WebAssembly without what a page's service does not use. */
export function smallerSqlite(): Uint8Array {
  const path = createRequire(import.meta.url).resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm");
  const module = binaryen.readBinary(readFileSync(path));
  // With the garbage collector's types, functions that scripts put into the table would have others than are called.
  const { All, GC } = binaryen.Features;
  module.setFeatures(All & ~GC);
  const names = Array.from(
    { length: module.getNumExports() },
    (_, index) => binaryen.getExportInfo(module.getExportByIndex(index)).name,
  );
  for (const name of names) if (UNUSED_EXPORT.test(name)) module.removeExport(name);
  module.runPasses(["remove-unused-module-elements"]);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}
