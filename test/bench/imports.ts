import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { compare, percentile, report } from "./measure.ts";

/** What tslab's checks cost, in ms of processor time. */
interface Checks {
  /** Of the first cell, with the compiler's start. */
  first: number;
  /** Of a later cell, the mean of 20. */
  later: number;
}

const CHECK = `
  const { createConverter } = require("tslab/dist/converter");
  const used = () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage());
  const convert = (before, source) => {
    const { declOutput, diagnostics } = converter.convert(before, source);
    if (diagnostics.length) throw new Error(diagnostics[0].messageText);
    return declOutput ?? "";
  };
  const started = used();
  const converter = createConverter();
  const before = convert("", process.argv[1]);
  const first = used() - started;
  for (let cell = 0; cell < 20; cell += 1) convert(before, "let cell = " + cell);
  console.log(JSON.stringify({ first, later: (used() - started - first) / 20 }));
  process.exit();
`;

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

  const cells = {
    "an empty cell": "",
    "a cell that imports ketbook": 'import { devices, run } from "ketbook";\nrun("").shots(1)',
    "a cell that imports zod": 'import { z } from "zod";\nz.string().parse("")',
  };
  const rounds = Object.keys(cells).map((): Checks[] => []);
  for (let round = 0; round < 11; round += 1) {
    for (const [index, source] of Object.values(cells).entries()) rounds[index]!.push(check(source));
  }
  for (const key of ["first", "later"] as const) {
    const medians = rounds.map(each =>
      percentile(
        each.map(checks => checks[key]),
        0.5,
      ),
    );
    report(
      `Processor time of a new tslab converter that checks ${key === "first" ? "…" : "a later cell, after …"}`,
      Object.keys(cells).map((name, index) => [
        name,
        `${medians[index]!.toFixed(1)} ms`,
        `× ${(medians[index]! / medians[0]!).toFixed(2)}`,
      ]),
    );
  }
}

/** Checks a cell, and a later one, in a process of its own. */
function check(source: string): Checks {
  const options = { cwd: join(root, "notebooks"), encoding: "utf8" } as const;
  return JSON.parse(execFileSync(process.execPath, ["-e", CHECK, source], options));
}
