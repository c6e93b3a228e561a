import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KetbookError, qasm, Result } from "../../src/index.ts";
import { newFolder } from "../folder.ts";
import { bundleOf } from "./bundle.ts";

test("a template loses its common indentation and keeps the rest", () => {
  const program = qasm`
    OPENQASM 3.0;
      // deeper
    qubit q;
  `;
  expect(program.data).toBe("OPENQASM 3.0;\n  // deeper\nqubit q;\n");
});

test("numbers and text can be put in", () => {
  expect(qasm`rz(${Math.PI}) q[${2}]; ${"x q[0];"}`.data).toBe(`rz(${Math.PI}) q[2]; x q[0];\n`);
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [undefined as never], [{} as never], [null as never]])(
  "putting in %s is refused",
  value => {
    expect(() => qasm`rz(${value}) q;`).toThrow(KetbookError);
    expect(() => qasm(value as never)).toThrow(/qasm is followed by a program in backquotes/);
  },
);

test("the first line says which version of the language it is", () => {
  expect(
    qasm`// a comment
    OPENQASM 2.0; qreg q[1];`.format,
  ).toBe("qasm2");
  expect(qasm`OPENQASM 3.0; qubit q;`.format).toBe("qasm3");
});

const bell = qasm`
  OPENQASM 3.0;
  include "stdgates.inc";
  qubit[2] q;
  bit[2] c;
  h q[0];
  c[0] = measure q[0];
  if (c[0]) { x q[1]; }
  c[1] = measure q[1];
`;

test("a program can be written as QIR, which is one like any other", async () => {
  const written = bell.toQir();
  expect(written.format).toBe("qir.ll");
  expect(written.data).toContain("@__quantum__rt__read_result");
  expect(written.toQir()).toBe(written);
  expect(bundleOf(written)["text/plain"]).toContain("if c[0]");
  const path = join(newFolder(), "bell.ll");
  writeFileSync(path, `; ModuleID = 'bell'\n${written.data}`);
  expect(await qasm.file(path)).toMatchObject({ format: "qir.ll" });
});

test("QIR is refused of a program that does not compile", () => {
  expect(() => qasm`OPENQASM 3.0; qubit q; hh q;`.toQir()).toThrow(KetbookError);
  expect(() => qasm`OPENQASM 3.0; qubit q; hh q;`.toQir()).toThrow(/toQir: 1:24: /);
});

test("comments in front of a program do not hide what it is", () => {
  const many = "/* a */ /* b */".repeat(2000);
  expect(qasm`${many} OPENQASM 2.0;`.format).toBe("qasm2");
  expect(qasm`${many} qubit q;`.format).toBe("qasm3");
});

test("a file is read as it is", async () => {
  const path = join(newFolder(), "bell.qasm");
  writeFileSync(path, "OPENQASM 2.0;\n  qreg q[1];");
  expect(await qasm.file(path)).toMatchObject({ format: "qasm2", data: "OPENQASM 2.0;\n  qreg q[1];" });
});

test("a program shows its circuit, and a wrong one what is wrong", () => {
  const right = bundleOf(qasm`OPENQASM 3.0; include "stdgates.inc"; qubit q; h q;`);
  expect(right["text/html"]).toMatch(/^<img class="[^"]+" src="data:image\/svg\+xml;base64,/);
  const wrong = bundleOf(qasm`OPENQASM 3.0; qubit q; <script> q;`);
  expect(wrong["text/plain"]).toMatch(/1:\d+:/);
  expect(wrong["text/html"]).not.toContain("<script");
});

test("of another program the gates that it defines are put in", () => {
  const library = qasm`
    OPENQASM 3.0;
    include "stdgates.inc";
    gate bell a, b { h a; cx a, b; }
    qubit q;
    x q;
  `;
  const program = qasm`
    OPENQASM 3.0;
    include "stdgates.inc";
    ${library}
    qubit[2] q;
    bell q[0], q[1];
  `;
  expect(program.data).toContain("gate bell a, b { h a; cx a, b; }\n");
  expect(program.data).not.toContain("x q;\n");
  expect(bundleOf(program)["text/plain"]).toContain("bell");
  expect(() => qasm`${qasm`gate oops {`}`).toThrow(KetbookError);
});

const withPairs = qasm.files({ "pairs.inc": "gate pair a, b { h a; cx a, b; }" });
const ownPair = withPairs`
  OPENQASM 3.0;
  include "stdgates.inc";
  include "pairs.inc";
  qubit[2] q;
  pair q[0], q[1];
`;

test("a program brings its own files along, is submitted with them, and drawn", () => {
  expect(JSON.parse(JSON.stringify(ownPair))).toEqual({
    format: "qasm3",
    data: ownPair.data,
    files: { "pairs.inc": "gate pair a, b { h a; cx a, b; }\n" },
  });
  expect(bundleOf(ownPair)["text/plain"]).toContain("pair");
  expect(ownPair.toQir().data).toContain("cnot");
  expect(withPairs.files({ "more.inc": ownPair })`qubit q;`.files).toEqual({
    ...ownPair.files,
    "more.inc": ownPair.data,
  });
});

test("a file brings along what it includes from its folder, and refuses what lies outside", async () => {
  const folder = newFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "lib"));
  write("lib/pairs.inc", 'include "lib/more.inc"; gate pair a, b { h a; cx a, b; }');
  write("lib/more.inc", 'include "lib/pairs.inc"; // include "missing.inc";');
  write("main.qasm", 'include "stdgates.inc"; include "lib/pairs.inc"; qubit[2] q; pair q[0], q[1];');
  const { files } = await qasm.file(join(folder, "main.qasm"));
  expect(Object.keys(files!)).toEqual(["lib/pairs.inc", "lib/more.inc"]);
  write("outside.qasm", 'include "../secret.inc";');
  await expect(qasm.file(join(folder, "outside.qasm"))).rejects.toThrow(
    /"\.\.\/secret\.inc" is outside the program's folder/,
  );
});

test("a file that is no text is refused by its name", () => {
  expect(() => qasm.files({ "pairs.inc": 3 as never })).toThrow(/the text of "pairs\.inc" must be a string/);
});

test("a file that is not there is said by its name, whatever it was to hold", async () => {
  await expect(qasm.file("/nowhere/bell.qasm")).rejects.toThrow(
    new KetbookError("/nowhere/bell.qasm: no such file or folder. Check the path, or create the folder."),
  );
  expect(() => Result.load("/nowhere/bell.json")).toThrow(
    new KetbookError("/nowhere/bell.json: no such file or folder. Check the path, or create the folder."),
  );
});

test("a program says how deep it is, what gates it has and how many qubits", () => {
  const program = (body: string) => qasm`include "stdgates.inc"; ${body}`;
  const figures = (body: string) => {
    const { depth, gateCounts, twoQubitGates, width } = program(body);
    return [depth, gateCounts, twoQubitGates, width];
  };
  expect(figures("qubit[4] q; h q[0]; for int i in [1:3] cx q[i - 1], q[i];")).toEqual([
    4,
    { h: 1, cx: 3 },
    3,
    4,
  ]);
  expect(
    figures("qubit[3] q; gate pair a, b { cx a, b; h a; cx b, a; } pair q[0], q[1]; ccx q[0], q[1], q[2];"),
  ).toEqual([2, { pair: 1, ccx: 1 }, 8, 3]);
  expect(figures("qubit[2] q; bit c; h q[0]; c = measure q[0]; if (c) x q[1]; barrier q;")).toEqual([
    3,
    { h: 1, measure: 1, x: 1 },
    0,
    2,
  ]);
  expect(figures("qubit q; bit c; while (!c) { h q; c = measure q; }").slice(0, 2)).toEqual([
    2,
    { h: 1, measure: 1 },
  ]);
  expect(figures("input float t; qubit q; for int i in [1:5] rx(t) q;").slice(0, 1)).toEqual([5]);
  expect(() => program("input int n; qubit q; for int i in [1:n] x q;").depth).toThrow(
    /^depth: .*input n has no value/,
  );
  expect(() => program("qubit q; for int i in [1:2000000] x q;").gateCounts).toThrow(/too many steps/);
  expect(() => program("qubit q; x q[3];").width).toThrow(KetbookError);
});
