/**
 * The process in which the notebook of a student is executed. It reads the cells, shuts itself off, runs them, and reports
 * the answers that they check. Nothing that it reports is believed: answers are judged elsewhere.
 */
import { readFileSync, writeSync } from "node:fs";
import { attempted } from "../../host/attempted.ts";
import { openGlobalEvaluator, openRuntime } from "../../kernels/cells/index.ts";
import { lockDown } from "./lock-down.ts";
import { REPORT_DESCRIPTOR, type SandboxCell, type SandboxMessage } from "./sandbox-messages.ts";
import { sandboxFetch } from "./sandbox-service.ts";

const { parse, stringify } = JSON;
const MAX_ANSWER_LENGTH = 1_000_000;

function report(message: SandboxMessage): void {
  writeSync(REPORT_DESCRIPTOR, `${stringify(message)}\n`);
}

const describe = (thrown: unknown): string =>
  attempted(() => String(thrown).slice(0, 300)) ?? "Something was thrown.";

report({ kind: "starts" });
const cells: SandboxCell[] = parse(readFileSync(0, "utf8"));
const load = (file: string) => import(new URL(`./${file}.js`, import.meta.url).href);
const [index, client, course] = await Promise.all(["index", "client", "course"].map(load));
const find = lockDown({ index, client, course });
index.connect({
  ...{ url: "http://grading.invalid/api/v1", apiKey: "grading" },
  ...{ device: "svc:svc:sim:statevector", fetch: sandboxFetch },
});

Object.defineProperty(globalThis, Symbol.for("ketbook.answers"), {
  value(exercise: string, answer: unknown) {
    const text = stringify(answer) ?? "null";
    if (text.length <= MAX_ANSWER_LENGTH) report({ kind: "answer", exercise, answer: parse(text) });
  },
});
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => undefined);
const runtime = openRuntime({
  modules: { import: find, meta: { url: "file:///notebook.ts", main: true } },
  throwIfInterrupted: () => undefined,
});
const { evaluate } = openGlobalEvaluator();

for (const [index, cell] of cells.entries()) {
  if ("mistake" in cell) {
    report({ kind: "cell", index, error: cell.mistake });
    continue;
  }
  runtime.value = undefined;
  const ended = await evaluate(cell.script, `Cell[${index + 1}-${index + 1}]`);
  await runtime.disposeAll().catch(() => undefined);
  report({ kind: "cell", index, error: "thrown" in ended ? describe(ended.thrown) : null });
}
process.exit(0);
