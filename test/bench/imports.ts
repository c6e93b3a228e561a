import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { compare } from "./measure.ts";

interface Converter {
  convert(before: string, source: string): { diagnostics: { messageText: string }[] };
  close(): void;
}

const root = join(import.meta.dirname, "../..");

function start(code: string): void {
  execFileSync(process.execPath, ["-e", code], { cwd: root });
}

/** What importing the library costs a fresh process, and what it costs to check a cell of a tslab notebook. */
export async function benchImports(): Promise<void> {
  await compare(
    "A fresh process that imports …",
    ["nothing", "ketbook", "zod", "undici"].map(name => ({
      name,
      run: () => start(name === "nothing" ? "" : `require("${name}")`),
    })),
    15,
  );

  process.chdir(join(root, "notebooks"));
  const { createConverter } = createRequire(import.meta.url)("tslab/dist/converter");
  const cells = {
    "an empty cell": "",
    "a cell that imports ketbook": 'import { devices, run } from "ketbook";\nrun("").shots(1)',
    "a cell that imports zod": 'import { z } from "zod";\nz.string().parse("")',
  };
  await compare(
    "A new tslab converter that checks …",
    Object.entries(cells).map(([name, source]) => ({
      name,
      run() {
        const converter = createConverter() as Converter;
        const { diagnostics } = converter.convert("", source);
        converter.close();
        if (diagnostics.length > 0) throw new Error(diagnostics[0]!.messageText);
      },
    })),
    5,
  );
  process.chdir(root);
}
