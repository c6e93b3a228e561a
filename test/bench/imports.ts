import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { compare } from "./measure.ts";

const root = join(import.meta.dirname, "../..");

function start(code: string): void {
  execFileSync(process.execPath, ["-e", code], { cwd: root });
}

/** What importing the library costs a fresh process. */
export async function benchImports(): Promise<void> {
  await compare(
    "A fresh process that imports …",
    [
      { name: "nothing", run: () => start("") },
      { name: "ketbook", run: () => start('require("ketbook")') },
      { name: "zod", run: () => start('require("zod")') },
      { name: "undici", run: () => start('require("undici")') },
    ],
    15,
  );
}
