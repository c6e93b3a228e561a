import { expect, test } from "vitest";
import { EVALUATORS, type EvaluatorName, openNotebook } from "../../kernels/cells/evaluate.ts";

const [repl, global] = Object.keys(EVALUATORS) as [EvaluatorName, EvaluatorName];

const NOTEBOOKS: readonly (readonly string[])[] = [
  [
    "function pick(row: any) {\n  // a comment\n  return row.left.right;\n}",
    "const row = {};\n  pick(row);\n1",
  ],
  [
    `interface Gone { a: number }
enum Side { Left, Right }
type Also<T> = T extends string ? 1 : 2;
class Box<T> {
  constructor(private readonly value: T) {}
  open(): T { throw new RangeError("empty " + Side.Left); }
}
const { open } = { open: () => new Box<Gone>({ a: 1 }).open() };
await Promise.resolve();
open();`,
  ],
  [
    `const later = () => new Promise((_, no) => setTimeout(no, 5, Object.assign(new Error("late"), { stack: "Error: late" })));
async function twice() {
    await later();
}
await twice();`,
  ],
  ["let first = 1, second: any;\nlet third = first\nvar fourth = second.missing"],
  ["for (const n of [1]) { (null as any).x }"],
  ["const value: number = await (async () => { throw new Error('in an arrow') })();"],
  ["export default class Thrower<T> { static at = (() => { throw new Error('static') })() }"],
];

test.each(NOTEBOOKS.map(cells => [cells]))(
  "%j fails at the same line and column in both evaluators",
  async cells => {
    const tracebacks: string[][] = [];
    for (const evaluator of [repl, global]) {
      const notebook = openNotebook({ evaluator });
      let last: Awaited<ReturnType<typeof notebook.outcome>> | undefined;
      for (const cell of cells) last = await notebook.outcome(cell);
      if (!last || !("failure" in last)) throw new Error("The cell did not fail.");
      tracebacks.push(last.failure.traceback);
    }
    expect(tracebacks[1]).toEqual(tracebacks[0]);
  },
);

test.each(["const x = ;", "let a = 1;\nlet b = (2;\n", "const n: number = 1 +;\n// end", "function ("])(
  "what is wrong with %j is shown at its line",
  async source => {
    const [ours, oxc] = await Promise.all(
      [global, repl].map(evaluator => openNotebook({ evaluator }).outcome(source)),
    );
    const lineOf = (outcome: object) => /line (\d+)/.exec(JSON.stringify(outcome))?.[1];
    expect(lineOf(ours!)).toBe(lineOf(oxc!));
  },
);
