import { expect, test } from "vitest";
import {
  compile,
  drawText,
  formatDiagnostics,
  ProgramError,
  printCompiled,
} from "../../../src/simulation/index.ts";
import { simulate } from "../../../src/simulation/simulate.ts";

const PAIRS = 'include "stdgates.inc";\ngate pair a, b { h a; cx a, b; }\n';
const MAIN =
  'OPENQASM 3.0;\ninclude "pairs.inc";\nqubit[2] q;\nbit[2] c;\npair q[0], q[1];\nc = measure q;\n';

function compileWith(files: Record<string, string>, data = MAIN) {
  return compile({ format: "qasm3", data, files });
}

/** Returns what is wrong with a program, as it is written for its author. */
function problems(files: Record<string, string>, data = MAIN, limits = {}): string {
  try {
    compile({ format: "qasm3", data, files }, limits);
  } catch (error) {
    if (error instanceof ProgramError) return formatDiagnostics(data, error.diagnostics, files);
    throw error;
  }
  return "";
}

test("a program includes the files that come with it, which include others", () => {
  const files = {
    "pairs.inc": 'include "more/basic.inc";\ngate pair a, b { turn a; cx a, b; }',
    "more/basic.inc": 'include "stdgates.inc"; gate turn a { h a; }',
  };
  const { measurementProbabilities } = simulate(compileWith(files), { shots: 0 });
  expect(measurementProbabilities).toEqual({ "00": expect.closeTo(0.5), "11": expect.closeTo(0.5) });
});

test("what a file declares and does is done where it is included, also by its last line without an end", () => {
  const files = { "state.inc": 'include "stdgates.inc";\nqubit[2] q;\nx q[0]; // no line after this' };
  const data = 'include "state.inc";\nbit[2] c;\nx q[1];\nc = measure q;';
  expect(simulate(compileWith(files, data), { shots: 3, seed: 1 }).measurementCounts).toEqual({ "11": 3 });
});

test("a statement does not continue beyond the file that it begins in", () => {
  const files = { "a.inc": "x q[0]", "b.inc": ";" };
  const data = 'include "stdgates.inc"; qubit q; include "a.inc"; include "b.inc";';
  expect(problems(files, data)).toMatch(/^a\.inc:1:7: `;` is missing/);
  expect(problems({ "a.inc": "x q; /* open", "b.inc": "*/" }, data)).toMatch(
    /^a\.inc:1:6: A comment begins here/,
  );
});

test("an error names the file, and shows its line", () => {
  const files = { "pairs.inc": 'include "stdgates.inc";\ngate pair a, b { h a;\n  cxx a, b; }\n' };
  expect(problems(files)).toMatch(
    /^pairs\.inc:3:3: There is no gate cxx\.\n {2}\|\n3 \| {3}cxx a, b; }\n {2}\| {3}\^\^\^\n/,
  );
  expect(() => compileWith(files)).toThrow(/^pairs\.inc:3:3: /);
});

test("an error of a run names the file", () => {
  const files = { "pairs.inc": `${PAIRS}def f(int n) -> int {\n  return 1 / n;\n}` };
  const circuit = compileWith(files, `${MAIN}int n = f(int(c[0]) - int(c[0]));`);
  expect(() => simulate(circuit, { shots: 10, seed: 1 })).toThrow(
    /^pairs\.inc:4:10: A whole number is divided/,
  );
});

test("what is wrong in the program itself is in its own lines", () => {
  expect(problems({ "pairs.inc": PAIRS }, `${MAIN}hh q[0];\n`)).toMatch(/^7:1: /);
});

test.each([
  [
    "a file that includes itself",
    { "pairs.inc": 'include "pairs.inc";' },
    /^pairs\.inc:1:1: "pairs\.inc" includes itself/,
  ],
  [
    "files in a circle",
    { "pairs.inc": 'include "b.inc";', "b.inc": 'include "pairs.inc";' },
    /^b\.inc:1:1: "pairs\.inc" is included by "b\.inc"/,
  ],
  [
    "a file that is not there",
    { "other.inc": "" },
    /^2:1: There is no file "pairs\.inc"[\s\S]*"other\.inc", "stdgates\.inc"[\s\S]*qasm\.files/,
  ],
  [
    "a file of the machine",
    { "pairs.inc": 'include "/etc/passwd";' },
    /^pairs\.inc:1:1: There is no file "\/etc\/passwd"/,
  ],
  [
    "a name of an object's own",
    { "pairs.inc": 'include "__proto__"; include "toString";' },
    /There is no file "__proto__"/,
  ],
])("%s is refused", (_, files, message) => {
  expect(problems(files)).toMatch(message);
});

test("what files come to is bounded", () => {
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`${i}.inc`, `include "${i + 1}.inc"; include "${i + 1}.inc";`]),
  );
  expect(problems({ ...doubled, "40.inc": "// end" }, 'include "0.inc";', { maxSource: 20_000 })).toMatch(
    /includes more than 20,000 characters/,
  );
  expect(problems({ ...doubled, "40.inc": "// end" }, 'include "0.inc";')).toMatch(
    /includes more than 10,000 files/,
  );
  expect(problems({ "pairs.inc": " ".repeat(1000) }, MAIN, { maxSource: 500 })).toMatch(
    /characters; at most 500/,
  );
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}.inc`, ""]));
  expect(problems(many, "")).toMatch(/101 files; at most 100/);
});

test("a file of a library's name takes the place of the library", () => {
  const files = { "stdgates.inc": "gate flip a { U(pi, 0, pi) a; }" };
  const data = 'include "stdgates.inc"; qubit q; bit c; flip q; c = measure q;';
  expect(simulate(compileWith(files, data), { shots: 2, seed: 1 }).measurementCounts).toEqual({ "1": 2 });
});

test("a program with files is drawn, and printed as one text", () => {
  const circuit = compileWith({ "pairs.inc": PAIRS }, `${MAIN}if (c[0]) x q[1];\n`);
  expect(drawText(circuit, { ascii: true })).toContain("pair");
  const data = printCompiled(circuit, { method: "statevector" });
  expect(data).not.toContain("pairs.inc");
  expect(simulate(compile({ format: "qasm3", data }), { shots: 0 }).measurementProbabilities).toEqual({
    "00": expect.closeTo(0.5),
    "11": expect.closeTo(0.5),
  });
});
