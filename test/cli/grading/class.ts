import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { notebookText } from "../../../src/ipynb/text.ts";

const HEAD = 'OPENQASM 3.0;\\ninclude "stdgates.inc";\\n';

/** The cell of an answer. */
export const answer = (name: string, body: string): string =>
  `const ${name} = qasm(${'"'}${HEAD.replaceAll('"', '\\"')}${body}${'"'});`;

export const BELL = answer("bell", "qubit[2] q; h q[0]; cx q[0], q[1];");
export const COIN = answer("coin", "qubit q; bit c; h q; c = measure q;");

const SETUP = `import { qasm } from "ketbook";
import { check, checks, exercise } from "ketbook/course";
exercise("bell", {
  statement: "Prepare a Bell state.",
  check: [checks.state({ "00": 0.7071, "11": 0.7071 }), checks.gates(["h", "cx"])],
});
exercise("coin", { statement: "Toss a coin.", check: checks.distribution({ 0: 0.5, 1: 0.5 }) });`;

let ids = 0;

/** Makes a cell with what nbgrader keeps of it. */
export const cell = (source: string, nbgrader?: object): Notebook["cells"][0] => ({
  cell_type: "code",
  id: `cell-${ids++}`,
  metadata: nbgrader ? { nbgrader: nbgrader as never } : {},
  source,
  outputs: [],
  execution_count: null,
});

export const solution = (id: string) => ({ grade_id: id, solution: true, locked: false, grade: false });
export const test = (id: string, points: number) => ({
  grade_id: id,
  solution: false,
  locked: true,
  grade: true,
  points,
});

const METADATA = {
  kernelspec: { name: "ketbook", language: "typescript", display_name: "TypeScript (Ketbook)" },
};

/** The course: two exercises with their solutions, and a hidden test. */
export const course: Notebook = {
  metadata: METADATA,
  cells: [
    cell(SETUP, { grade_id: "setup", solution: false, locked: true, grade: false }),
    cell(`### BEGIN SOLUTION\n${BELL}\n### END SOLUTION`, solution("bell-answer")),
    cell('await check("bell", bell)', test("bell-test", 3)),
    cell(`// ### BEGIN SOLUTION\n${COIN}\n// ### END SOLUTION`, solution("coin-answer")),
    cell(
      'await check("coin", coin)\n// ### BEGIN HIDDEN TESTS\nconst hidden = 42;\n// ### END HIDDEN TESTS',
      test("coin-test", 2),
    ),
  ],
};

/** Makes the notebook of a student. */
export const submission = (bell: string, coin: string, ...more: string[]): Notebook => ({
  metadata: METADATA,
  cells: [
    cell(SETUP),
    cell(bell, solution("bell-answer")),
    cell('await check("bell", bell)', test("bell-test", 3)),
    cell(coin, solution("coin-answer")),
    cell('await check("coin", coin)', test("coin-test", 2)),
    ...more.map(source => cell(source)),
  ],
});

/** Writes notebooks into a folder, by their names. */
export function writeNotebooks(folder: string, notebooks: Readonly<Record<string, Notebook>>): void {
  for (const [name, notebook] of Object.entries(notebooks)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "lesson.ipynb"), notebookText(notebook));
  }
}
