import { describe, expect, test } from "vitest";
import { compile, simulate } from "../../../src/simulation/index.ts";
import { HEAD2 } from "../run.ts";
import { diagnose } from "./diagnose.ts";
import { HEAD, resultOf } from "./support.ts";

const notesOf = (body: string) =>
  compile({ format: "qasm3", data: HEAD + body }).parts.notes.map(({ message }) => message);

describe("what OpenQASM 3 does not have", () => {
  test.each([
    ["gate g q { x $0; }", "3:14", /cannot name the physical qubit \$0.*Name it among the qubits/],
    ["gate g q { ctrl @ x $1, q; }", "3:21", /physical qubit \$1/],
    ["gate g q { barrier q, $0; }", "3:23", /physical qubit \$0/],
    ["gate g q { barrier r; }", "3:20", /r is not declared/],
    ["def f() -> int { }", "3:5", /never does.*Add `return …;`/],
    ["def f(int n) -> bit { if (n > 1) { n = 2; } }", "3:5", /declared to return a value/],
    [
      "def f(int n) -> int { if (n > 0) { return 1; } }",
      "3:23",
      /after this if when its condition does not hold/,
    ],
    [
      "def f(int n) -> int { if (n > 0) { } else { return 1; } }",
      "3:23",
      /after this if when its condition holds/,
    ],
    ["def f(int n) -> int { if (n > 0) { return 1; } else { n = 2; } }", "3:55", /after this statement\./],
    ["def f(int n) -> int { switch (n) { case 1 { return 1; } } }", "3:23", /when none of its cases fits/],
    ["def f(int n) -> int { for int i in [0:n] { return i; } }", "3:23", /after this for when the loop ends/],
    ["def f(int n) -> int { while (n > 1) { return 1; } }", "3:23", /after this while when the loop ends/],
    ["def f() { } int n = f();", "3:21", /returns no value.*Add `-> type`/],
    ["def f() { } int n; n = 1 + f();", "3:28", /returns no value/],
    ["extern f(int); int n = f(1);", "3:24", /returns no value/],
    ["qubit q; delay[-1us] q;", "3:16", /-1000 ns is negative/],
    ["qubit q; x[-5ns] q;", "3:12", /negative/],
    ["qubit q; x[5] q;", "3:12", /unit of time/],
    ["qubit q; box[10ns] { delay[20ns] q; }", "3:14", /takes 10 ns.*holds takes 20 ns.*at least 20ns/],
    [
      "qubit[2] q; box[30ns] { delay[20ns] q[0]; cx q[0], q[1]; delay[20ns] q[1]; }",
      "3:17",
      /holds takes 40 ns/,
    ],
    ["qubit q; box[1us] { box[2us] { x q; } }", "3:14", /holds takes 2000 ns/],
    ["def f(qubit q) { foo q; }", "3:18", /no gate foo/],
    ["def f(readonly array[int[8], #dim = 1] a) { int n = a[0] + b; }", "3:60", /b is not declared/],
    ["def f(mutable array[int[8], #dim = 2] a) { a[0] = 3; }", "3:51", /array, or a part of one, is needed/],
    ["def f(readonly array[int[8], #dim = 1] a) { a[0] = 3; }", "3:45", /read only/],
    ["qubit(2) q;", "3:6", /in brackets.*`qubit\[2\] q;`/],
    ["bit c; if (c) { } elif (c) { }", "3:19", /no `elif`.*`else if/],
    ["bit c; if (c) { } elseif (c) { }", "3:19", /`else if/],
    ["{ extern f(int); }", "3:10", /outside of all blocks/],
    ["extern f() -> stretch;", "3:15", /cannot return a stretch/],
    ["def mod(int a) { }", "3:5", /mod is part of the language/],
    ["gate sin q { }", "3:6", /sin is part of the language/],
    ["extern popcount(int) -> int;", "3:8", /popcount is part of the language/],
    ["int pi;", "3:5", /pi is part of the language/],
    ["qubit τ;", "3:7", /τ is part of the language/],
    ["input float euler;", "3:13", /euler is part of the language/],
    ["x $0; qubit q;", "3:7", /either hardware qubits or registers/],
    ["qubit[2] q; def f(qubit a, qubit b) { } f(q[0], q[0]);", "3:49", /same qubit twice/],
    ["qubit[3] q; def f(qubit[2] a, qubit b) { } f(q[0:1], q[1]);", "3:54", /same qubit twice/],
    ["qubit[3] q; let a = q[0:1] ++ q[1:2];", "3:21", /joined with itself/],
    ["qubit[3] q; uint n = sizeof(q);", "3:29", /sizeof takes an array/],
    ["int n; n[2] = 1;", "3:8", /without a width.*`int\[32\]`/],
    ["int n = 1; int m = ~n;", "3:20", /~ takes bits, a uint or an angle.*~uint\(…\)/],
    ["float f = 1.5 % 1.0;", "3:11", /mod\(a, b\)/],
    ["float f = mod(1.5, 0.0);", "3:11", /divided by zero/],
    ["input int[8] n; qubit[n] q;", "3:23", /constant whole number/],
    ["input int[8] n; const int m = n;", "3:31", /not known before the run/],
    ["input int[8] n; switch (n) { case n { } }", "3:35", /has to be a constant/],
    ["bit c; if (c and true) { }", "3:14", /&& for `and`/],
    ["bit c; if (not c) { }", "3:16", /! for `not`/],
    ["bool b = not true;", "3:14", /! for `not`/],
    ["bit[4] c = 16;", "3:12", /16 does not fit.*4 bits is 15/],
    ["angle a = pi; qubit q; rz(a * 0.5) q;", "3:27", /an angle and a float.*by a uint/],
    ["def f(int n) -> int { while (1) { if (n > 1) { break; } return n; } }", "3:23", /when the loop ends/],
    ["bit c; if c { }", "3:11", /parentheses, as in `if \(c == 1\)/],
    ["bit c; if (c): end;", "3:14", /without a colon/],
    ["qubit q; rx(np.pi) q;", "3:15", /π is `pi`/],
    ["qubit q; rx(pi), q;", "3:16", /Leave the comma out/],
    ["bool b = True;", "3:10", /mean true/],
    ["bit[2] b = '10';", "3:12", /double quotes/],
    ["bit[2] b = {1, 0};", "3:12", /as a string, as in `"101"`/],
    ["qubit q; pow(1.0 / 0.0) @ x q;", "3:14", /divided by zero/],
    ["gate g(angle t) q { rx(t) q; }", "3:8", /as in `gate g\(theta\) a, b.*without types/],
    ["gate g(q) { x q; }", "3:11", /as in `gate g\(theta\) a, b/],
    ["gate g q { bit c = measure q; }", "3:12", /Write a subroutine instead/],
    ["def f(q) { x q; }", "3:7", /as in `int n` or `qubit q`/],
    ["const n = 3;", "3:7", /as in `int n`/],
    ["var n = 3;", "3:6", /begins with a type, as in `int x = 5;`/],
    ["qubit[2] q; ctrl x q[0], q[1];", "3:18", /Write `ctrl @ …`/],
    ["qubit[2] q; control @ x q[0], q[1];", "3:20", /modifiers of a gate are inv/],
    ["qubit[2] q; x q(0);", "3:16", /brackets, as in `q\[0\]`/],
    ["function f(qubit q) { x q; }", "3:11", /a subroutine begins with `def`/],
    ["qubit q; bit c; if (c == 1) then x q;", "3:29", /Leave it out/],
    ["qreg[2] q;", "3:5", /Write `qreg name\[n\];`/],
    ["qubit q; measure_all q;", "3:10", /Here it is written `c = measure q;`/],
    ["bool b; b = not b;", "3:13", /Write ! for `not`/],
    ["int n = 2; qubit[n] q;", "3:18", /as in `const int n = 3;`/],
    ["qubit[4] q; x q[2:1];", "3:17", /selects no qubit.*a step, as in `3:-1:0`/],
    [
      "def f(mutable array[int, 2] a, mutable array[int, 2] b) { a[0] = b[0]; } array[int, 3] x; f(x[0:1], x[1:2]);",
      "3:101",
      /the same element twice/,
    ],
    ["gate h a { x a; }", "3:6", /gate of stdgates.inc already/],
    ["def swap(qubit a) { x a; }", "3:5", /gate of stdgates.inc already/],
    ["def f(int a): int { return a; }", "3:13", /follows an arrow, as in `-> int`/],
    ["def f(int a) -> int { while (1 == 1) { if (a > 3) break; return a; } }", "3:23", /when the loop ends/],
    ["qubit[4] q; const uint n = 0; x q[n - 1];", "3:35", /outside q/],
  ])("is refused where it stands: %s", (body, place, message) => {
    const found = diagnose(HEAD + body, "qasm3", { n: 1, euler: 1 });
    expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual([place]);
    expect(`${found[0]!.message} ${found[0]!.hint ?? ""}`).toMatch(message);
  });

  test.each([
    "qubit[2] q; box[20ns] { delay[20ns] q[0]; delay[20ns] q[1]; }",
    "qubit q; box[20ns] { delay[10ns] q; x[10ns] q; }",
    "qubit q; bit c; box[1us] { box { if (c) { x q; } } }",
    "qubit q; stretch gap; box[20ns] { delay[gap] q; }",
    "qubit q; x[0ns] q; duration d = -1us;",
    "def f(int n) -> int { if (n > 0) { return 1; } else { return 2; } }",
    "def f(int n) -> int { switch (n) { case 1 { return 1; } default { return 2; } } }",
    "def f(int n) -> int { while (true) { n += 1; if (n > 3) { return n; } } }",
    "const int m = 2; def f(int n) -> int { while (m >= 1 + 1) { n += 1; if (n > 3) { return n; } } }",
    "gate rzz(t) a, b { cx a, b; rz(t) b; cx a, b; }",
    "def f(mutable array[int[8], #dim = 2] a) { a[0, 1] = 3; a[1:2, 0] = a[0, 0:1]; }",
    `def f(readonly array[int[8], #dim = 1] a, uint d) -> int {
      int s = sizeof(a, d); for int i in [0:sizeof(a) - 1] { s += a[i]; } for int v in a { s += v; } return s; }`,
  ])("is not seen where it is not: %s", body => {
    expect(diagnose(HEAD + body)).toEqual([]);
    expect(notesOf(body)).toEqual([]);
  });

  test("is found while the program runs where it is not known before", () => {
    const run = (body: string) =>
      simulate(compile({ format: "qasm3", data: `${HEAD}qubit q; bit c;\n${body}` }), { shots: 1 });
    expect(() => run("duration d = 1us; d = d - 2us; delay[d] q;")).toThrow(/^4:38: .*-1000 ns is negative/);
  });

  test("is noted where it does no harm", () => {
    expect(notesOf("int i = 1; switch (i) { default { i = 2; } }")).toEqual([
      expect.stringContaining("no case but its default"),
    ]);
    expect(resultOf("int x = 1; switch (x) { default { x = 2; } }")).toBe(2);
  });
});

describe("what has names or versions of its own", () => {
  test.each([
    "def f(float pi, int mod) -> int { int sin = mod; return sin; }",
    "for int tau in [0:1] { }",
    "int sqrt = 2;",
    'const bit[3] n = "010"; qubit[n] q; bit[true] c;',
    "qubit[4] q; let a = q[0:1] ++ q[3]; h a;",
    "bit[2] c; bit[4] d = c ++ c;",
    "bit b = 1; for int i in [0:b] { }",
    "def f(int n) -> int { while (1) { if (n > 3) { return n; } n += 1; } }",
  ])("is taken: %s", body => {
    expect(diagnose(HEAD + body)).toEqual([]);
  });

  test.each(["OPENQASM 2.1", "OPENQASM 3.3", "OPENQASM 3.00", "OPENQASM 4", "OPENQASM 1.0"])(
    "%s is refused",
    head => {
      expect(diagnose(`${head};`)[0]!.message).toMatch(/There is no version/);
    },
  );

  test.each(["OPENQASM 3", "OPENQASM 3.0", "OPENQASM 3.1", "OPENQASM 3.2"])("%s is taken", head => {
    expect(diagnose(`${head};`)).toEqual([]);
  });

  test("is noted where a pragma means nothing", () => {
    expect(notesOf("pragma foo bar\nqubit q;")).toEqual([expect.stringContaining("means nothing here")]);
    expect(notesOf("#pragma braket verbatim // as it is\nbox { x $0; }")).toEqual([]);
    expect(
      compile({ format: "qasm3", data: `${HEAD}#pragma braket verbatim /* as it is */\nbox { x $0; }` }).parts
        .isVerbatim,
    ).toBe(true);
  });
});

describe("what OpenQASM 2 does not have", () => {
  test.each([
    ["c = measure q;", "4:3", /Assignments are part of OpenQASM 3.*`measure q -> c;`/],
    ["if (c[0] == 0) x q[0];", "4:5", /whole register.*`if \(c == 1\) …`/],
    ["if (c != 0) x q[0];", "4:5", /whole register/],
    ["qubit[2] r;", "4:1", /`qubit` is a word of OpenQASM 3.*`qreg q\[2\];`, or begin .*`OPENQASM 3\.0;`/],
    ["bit b;", "4:1", /`creg c\[2\];`/],
    ["int n = 2;", "4:1", /`int` is a word of OpenQASM 3/],
    ["for int i in [0:1] x q[i];", "4:1", /`for` is a word of OpenQASM 3/],
    ["1 + 1;", "4:1", /begins with `1` is part of OpenQASM 3/],
    ["{ x q[0]; }", "4:1", /begins with `\{`/],
  ])("is refused where it stands: %s", (body, place, message) => {
    const found = diagnose(`${HEAD2}qreg q[2]; creg c[2];\n${body}`, "qasm2");
    expect(`${found[0]!.line}:${found[0]!.column}`).toBe(place);
    expect(`${found[0]!.message} ${found[0]!.hint ?? ""}`).toMatch(message);
  });

  test("may be the name of a gate of its own", () => {
    const body = "qreg q[1]; creg c[1]; gate box a { x a; } box q[0]; measure q -> c; if (c == 1) x q[0];";
    expect(diagnose(HEAD2 + body, "qasm2")).toEqual([]);
  });
});

describe("a run that is stopped", () => {
  test("says where it was, and speaks of loops only where there is one", () => {
    const run = (body: string, maxOperations: number) =>
      simulate(compile({ format: "qasm3", data: `${HEAD}qubit q; bit c;\n${body}` }), {
        shots: 1,
        maxOperations,
      });
    expect(() => run("int n = 0;\nwhile (true) { n += 1; }", 1000)).toThrow(
      /^5:1: The program was stopped after 1,000 operations\. It was in the loop that begins here; does that end\?$/,
    );
    expect(() => run("for int i in [0:10000] { x q; }", 1000)).toThrow(
      /^4:1: The program was stopped after 1,000 operations\. It was in the loop that begins here\.$/,
    );
    expect(() => run("while (true) {\nfor int i in [0:10000] { x q; }\n}", 1000)).toThrow(
      /^4:1: .* loop that begins here; does that end\?$/,
    );
    const lines = Array.from({ length: 100 }, () => "c = measure q; if (c) { x q; }").join("\n");
    expect(() => run(lines, 50)).toThrow(/stopped after 50 operations\./);
    expect(() => run(lines, 50)).not.toThrow(/loop/);
  });
});
