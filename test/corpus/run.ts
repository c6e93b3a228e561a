import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, ProgramError } from "../../src/simulation/index.ts";
import { parse } from "../../src/simulation/openqasm/syntax/parse.ts";
import { report } from "../bench/measure.ts";

/** What the front end made of a file. */
interface Outcome {
  readonly file: string;
  readonly isWellFormed: boolean;
  readonly refusal: string | null;
  readonly milliseconds: number;
}

function outcomeOf(file: string, data: string): Outcome {
  const format = /^\s*OPENQASM\s+2/m.test(data) ? "qasm2" : "qasm3";
  const refused = (read: () => unknown): string | null => {
    try {
      read();
      return null;
    } catch (error) {
      if (error instanceof ProgramError) return error.message;
      return `FAILED: ${(error as Error).stack}`;
    }
  };
  const start = performance.now();
  const refusal = refused(() => compile({ format, data }));
  const milliseconds = performance.now() - start;
  return { file, isWellFormed: refused(() => parse({ format, data })) === null, refusal, milliseconds };
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  process.stderr.write("Name the folders whose .qasm files are to be compiled: npm run corpus -- DIR …\n");
  process.exitCode = 2;
}
for (const folder of folders) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(file =>
    file.endsWith(".qasm"),
  );
  const outcomes = files.sort().map(file => outcomeOf(file, readFileSync(join(folder, file), "utf8")));
  const accepted = outcomes.filter(({ refusal }) => refusal === null).length;
  const wellFormed = outcomes.filter(({ isWellFormed }) => isWellFormed).length;
  report(`${folder}: ${outcomes.length} files, ${wellFormed} well formed, ${accepted} accepted`, [
    ["file", "ms", "syntax", "outcome"],
    ...outcomes.map(({ file, milliseconds, isWellFormed, refusal }) => [
      file,
      milliseconds.toFixed(1),
      isWellFormed ? "yes" : "no",
      (refusal ?? "accepted").slice(0, 160),
    ]),
  ]);
}
