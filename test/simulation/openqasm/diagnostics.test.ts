import { describe, expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";
import { HEAD, HEAD2 } from "../run.ts";
import { diagnose, places } from "./diagnose.ts";

/** What is wrong, the line after the head, where it is, and a part of the message or hint. */
const INVALID: [string, string, string, RegExp][] = [
  ["an unknown gate", "qubit q; hh q;", "3:10", /no gate hh.*mean h\?/],
  ["a gate in capitals", "qubit q; H q;", "3:10", /no gate H.*mean h\?/],
  ["a missing comma", "qubit[2] q; cx q[0] q[1];", "3:20", /comma/],
  ["a function of another language", "float f = acos(0.5);", "3:11", /`arccos`/],
  ["an undeclared register", "qubit[2] qubits; h qubit2;", "3:20", /qubit2 is not declared.*mean qubits\?/],
  ["bits that nothing declares", "qubit[2] q; c = measure q;", "3:13", /c is not declared.*`bit\[n\] c;`/],
  ["qubits that nothing declares", "h q[0];", "3:3", /q is not declared.*`qubit\[n\] q;`/],
  [
    "an angle without a value",
    "qubit q; rx(theta) q;",
    "3:13",
    /theta is not declared.*`input float theta;`/,
  ],
  ["a type in the plural", "qubits[2] q;", "3:1", /no gate qubits.*mean qubit\?/],
  ["a statement mistyped", "qubit q; mesure q;", "3:10", /no gate mesure.*mean measure\?/],
  ["an index outside", "qubit[2] q; h q[2];", "3:17", /index 2 is outside q, which has 2 qubits \(0 to 1\)/],
  ["a negative index outside", "qubit[2] q; h q[-3];", "3:17", /index -3/],
  ["too few qubits", "qubit[2] q; cx q[0];", "3:13", /cx takes 2 qubits, not 1/],
  ["too many qubits", "qubit[2] q; h q[0], q[1];", "3:13", /h takes 1 qubit, not 2/],
  ["too few arguments", "qubit q; rx q;", "3:10", /rx takes 1 argument, not 0/],
  ["an argument too many", "qubit q; h(1) q;", "3:10", /h takes 0 arguments/],
  ["the same qubit twice", "qubit[2] q; cx q[0], q[0];", "3:22", /same qubit twice/],
  ["registers of different sizes", "qubit[2] a; qubit[3] b; cx a, b;", "3:31", /2 and 3 qubits/],
  [
    "a measurement into too few bits",
    "qubit[3] q; bit[2] c; c = measure q;",
    "3:23",
    /3 qubits are measured into 2 bits/,
  ],
  ["a missing semicolon", "qubit q\nh q;", "3:8", /`;` is missing/],
  ["a name declared twice", "qubit q; bit q;", "3:14", /declared already/],
  ["a name of the library declared twice", "qubit p; bit p;", "3:14", /declared already/],
  ["a keyword as a name", "qubit for;", "3:7", /word of the language/],
  ["a constant that is assigned", "const int n = 1; n = 2;", "3:18", /constant/],
  ["a constant of the run", "int n = 1; const int m = n;", "3:26", /not known before/],
  ["a qubit as a value", "qubit q; int n = q;", "3:18", /not a classical value/],
  ["bits as qubits", "bit c; h c;", "3:10", /classical bits/],
  ["a real number as a constant integer", "const int n = 1.5;", "3:15", /float cannot stand for an int/],
  ["strings that are no bits", 'bit[2] c = "012";', "3:12", /not a string of bits/],
  ["bits of another width", 'bit[2] c = "010";', "3:12", /bit\[3\] cannot stand for a bit\[2\]/],
  ["a division by zero", "const int n = 1 / 0;", "3:15", /divided by zero/],
  ["an assignment as a condition", "bit c; if (c = 1) {}", "3:14", /Write ==/],
  ["a break outside of loops", "break;", "3:1", /no loop/],
  [
    "a break in a subroutine, whose call is in a loop",
    "def f() { break; } while (true) { f(); }",
    "3:11",
    /no loop/,
  ],
  ["a return outside of subroutines", "return;", "3:1", /no subroutine/],
  ["a block that is never closed", "qubit q; if (true) { h q;", "3:20", /never closed/],
  ["a brace too many", "qubit q; }", "3:10", /closes nothing/],
  ["a gate that indexes", "gate g a { h a[0]; }", "3:14", /no index/],
  ["a gate that measures", "gate g a { measure a; }", "3:12", /can only call gates/],
  ["a gate that sees a register", "qubit q; gate g a { h q; }", "3:23", /cannot see/],
  ["a gate that calls itself", "gate g a { g a; }", "3:12", /no gate g/],
  ["an unknown file", 'include "other.inc";', "3:1", /stdgates\.inc/],
  [
    "a subroutine with a wrong argument",
    "def f(qubit[2] q) { h q; } qubit[3] r; f(r);",
    "3:42",
    /2 qubits are wanted/,
  ],
  ["a word of the language as a value", "int n = end;", "3:9", /keyword, not a value/],
  ["a measurement within an expression", "qubit q; bit c; c = 2 * measure q;", "3:25", /not a value/],
  ["an argument of inv", "qubit q; inv(2) @ x q;", "3:13", /takes no argument/],
  ["a calibration with two results", "defcal x $0 -> bit -> bit {}", "3:20", /one value at most/],
  ["array literals that are too short", "array[int[8], 4] a = {1, 2};", "3:22", /2 values for 4 places/],
  ["inputs without a value", "input float theta;", "3:13", /The input theta has no value/],
  ["arrays in blocks", "if (true) { array[int[8], 4] a; }", "3:30", /outside of all blocks/],
  ["complex numbers of integers", "complex[int[32]] z;", "3:9", /parts of a complex number are floats/],
  ["durations added to numbers", "duration d = 100ns + 1;", "3:14", /\+ does not take a duration and an int/],
  ["negative delays", "qubit q; delay[-1us] q;", "3:16", /is negative/],
  [
    "a fractional power of too many qubits",
    "gate g a, b, c, d, e, f { cx a, b; h a; } qubit[6] q; pow(0.5) @ g q[0], q[1], q[2], q[3], q[4], q[5];",
    "3:55",
    /of at most 5 qubits/,
  ],
  ["a for without a type", "for i in [0:3] {}", "3:5", /type of the loop's variable/],
  ["a range with steps of zero", "for int i in [0:0:3] {}", "3:17", /steps of zero/],
  ["a size after a qubit register", "qubit q[2];", "3:8", /comes before/],
  ["a register without qubits", "qubit[0] q;", "3:7", /0 qubits/],
  ["a letter from another alphabet", "qubit q; х q;", "3:10", /U\+0445/],
  ["a character that is none of the language", "qubit q; h q?;", "3:13", /\?/],
  ["a comment that never ends", "qubit q; /* h q;", "3:10", /never ends/],
];

/** Slips of those who come from other languages: each is one errorAt, with what to write instead. */
const SLIPS: [string, string, RegExp][] = [
  ["cnot q[0], q[1];", "3:1", /Here it is written `cx`/],
  ["rx q[0];", "3:1", /in parentheses, as in `rx\(pi \/ 2\) …;`/],
  ["gphase 0.3;", "3:8", /in parentheses/],
  ["h(q[0]);", "3:1", /h is a gate, not a function.*`h q\[0\];`/],
  ["c = measure(q);", "3:12", /without parentheses/],
  ["c = measure q[0];", "3:1", /1 qubit is measured into 2 bits.*`c\[0\] = measure q\[0\];`/],
  ["measure q[0], q[1] -> c;", "3:13", /one qubit or register/],
  ["if (measure q[0]) x q[1];", "3:5", /Measure into a separate bit first/],
  ["for int i in 0:1 { h q[i]; }", "3:15", /Expected a range in brackets/],
  ["for int i in range(2) { h q[i]; }", "3:14", /`\[0:n\]`/],
  ["for (int i = 0; i < 2; i++) { h q[i]; }", "3:5", /for int i in \[0:3\]/],
  ["switch (int(c)) { case 0: x q[0]; }", "3:25", /`case 0 \{ … \}`/],
  ["int i = 5; i++;", "3:13", /`\+= 1`/],
  ["int n = +5;", "3:9", /Leave it out/],
  ["gate g a { h a; };", "3:18", /ends no statement/],
  ["rx(0.5π) q[0];", "3:4", /`0\.5 \* π`/],
  ["delay[100] q[0];", "3:7", /unit of time.*`100ns`/],
  ["# comment", "3:1", /Comments begin with \/\//],
  ["@note", "3:1", /No statement follows/],
  ["c[0] == 1 = 2;", "3:11", /assigns/],
  ["input float t; rx(t) q[0];", "3:13", /has no value/],
];

describe("invalid programs", () => {
  test.each(INVALID)("are refused at the right place: %s", (_, body, place, message) => {
    const found = diagnose(HEAD + body);
    expect(places(found)).toContain(place);
    expect(found.map(({ message: text, hint }) => `${text} ${hint ?? ""}`).join("\n")).toMatch(message);
  });

  test.each(SLIPS)("are put right in a hint: %s", (body, place, message) => {
    const found = diagnose(`${HEAD.trimEnd()} qubit[2] q; bit[2] c;\n${body}`);
    expect(places(found)).toEqual([place]);
    expect(`${found[0]!.message} ${found[0]!.hint ?? ""}`).toMatch(message);
  });

  test("are refused with all that is wrong, each thing once", () => {
    const found = diagnose(
      `${HEAD}qubit[2] q;\nhh q;\ncx q[0] q[1];\nh r;\nrx(1) q[5];\nh q[0]\nx q[1];\nfoo z;`,
    );
    expect(places(found)).toEqual(["4:1", "5:8", "6:3", "7:9", "8:7", "10:1"]);
  });

  test("are not blamed for what follows from a fault in a declaration", () => {
    expect(places(diagnose(`${HEAD}int[8] n = 1ns; int m = n + 1;`))).toEqual(["3:12"]);
  });

  test("say that the include is missing", () => {
    expect(diagnose('OPENQASM 3.0;\ninclude "qelib1.inc"; qubit q;\nphase(1) q;')).toEqual([
      {
        line: 3,
        column: 1,
        length: 5,
        message: "There is no gate phase.",
        hint: 'It is part of the library: add `include "stdgates.inc";`.',
      },
    ]);
    expect(diagnose("OPENQASM 2.0;\nqreg q[1];\nh q;", "qasm2")[0]!.hint).toContain("qelib1.inc");
  });

  test.each(["ecr q[0], q[1]", "zz(0.3) q[0], q[1]", "ms(0.1, 0.2, 0.3) q[0], q[1]", "prx(0.1, 0.2) q[0]"])(
    "say how to define the gate of %s, not the name of another one",
    call => {
      const [, definition] = /^The library lacks it\. Define it: `(gate .*)`\.$/.exec(
        diagnose(`${HEAD}qubit[2] q; ${call};`)[0]!.hint!,
      )!;
      expect(diagnose(`${HEAD}${definition} qubit[2] q; ${call};`)).toEqual([]);
    },
  );

  test.each([
    ["iswap", "Define it as `program(2, q => q.iswap(…))` prints it."],
    ["ryy(0.3)", "Define it as `program(2, q => q.ryy(…))` prints it."],
    ["rzx(0.3)", "Define it as `program(2, q => q.rzx(…))` prints it."],
    ["csdg", "Here it is written `ctrl @ sdg`."],
    ["mcz", "Here it is written `ctrl(n) @ z`."],
  ])("say how to get %s, which programs made in TypeScript have", (call, hint) => {
    expect(diagnose(`${HEAD}qubit[2] q; ${call} q[0], q[1];`)[0]!.hint).toContain(hint);
  });

  test("say when the version is not the one handed in, or none at all", () => {
    expect(diagnose(HEAD2)[0]).toMatchObject({
      line: 1,
      column: 10,
      hint: "Hand it in with the format qasm2.",
    });
    expect(diagnose(HEAD, "qasm2")[0]!.message).toContain("3.0");
    expect(diagnose("OPENQASM 7;")[0]!.message).toContain("no version");
  });

  test("have a first message with line and column", () => {
    expect(() => compile({ format: "qasm3", data: "qubit q;\nhh q;" })).toThrow(
      /^2:1: There is no gate hh\./,
    );
  });
});
