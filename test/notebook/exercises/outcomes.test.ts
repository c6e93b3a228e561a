import { inspect } from "node:util";
import { expect, test } from "vitest";
import { check, checks, exercise, hint } from "../../../src/course.ts";
import { KetbookError, qasm } from "../../../src/index.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const coin = (angle: string) => qasm(`${HEAD}qubit q; bit c; ry(${angle}) q; c = measure q;`);
const ghz = (n: number, more = "") =>
  qasm(
    `${HEAD}qubit[${n}] q; bit[${n}] c; h q[0]; for int i in [1:${n - 1}] cx q[i - 1], q[i]; ${more} c = measure q;`,
  );

test("samples pass what is right, whatever the seed, and fail what is off by more than the tolerance", async () => {
  for (let seed = 0; seed < 12; seed++) {
    const fair = checks.distribution({ 0: 0.5, 1: 0.5 }, { sampled: true, seed: 100 * seed });
    exercise("sampled", { statement: "Toss.", check: fair });
    expect((await check("sampled", coin("pi / 2"))).findings[0]).toMatchObject({ passed: true });
    const off = await check("sampled", coin("pi / 2 + 0.1"));
    expect(off.passed).toBe(false);
    expect(off.findings[0]!.message).toMatch(/shots; a right answer fails once in 1,000,000 times at most/);
  }
});

test("a tolerance that samples cannot tell is refused", () => {
  expect(() => checks.distribution({ 0: 0.5, 1: 0.5 }, { sampled: true, tolerance: 1e-4 })).toThrow(
    /samples only resolve distances above 0\.00/,
  );
});

test("programs of many qubits are checked by their outcomes, gates and resources", async () => {
  const wanted = { ["0".repeat(60)]: 0.5, ["1".repeat(60)]: 0.5 };
  exercise("ghz", {
    statement: "Entangle 60 qubits.",
    check: [checks.distribution(wanted), checks.resources({ twoQubitGates: 59 }), checks.gates(["h", "cx"])],
  });
  expect((await check("ghz", ghz(60))).toJSON()).toMatchObject({ passed: true });
  const wrong = await check("ghz", ghz(60, "x q[7]; z q[0];"));
  expect(wrong.findings.map(({ passed }) => passed)).toEqual([false, true, false]);
  exercise("state", { statement: "Too large.", check: checks.state({ [`${"0".repeat(20)}`]: 1 }) });
  expect((await check("state", ghz(60))).findings[0]!.message).toContain("computed exactly for up to 18");
});

test("any passes with one of its members, and says what the first misses", async () => {
  const either = checks.any(checks.state({ 0: 1 }), checks.state({ 1: 1 }));
  exercise("either", { statement: "A basis state.", check: either });
  expect((await check("either", qasm("OPENQASM 3.0; qubit q;"))).passed).toBe(true);
  expect((await check("either", qasm(`${HEAD}qubit q; x q;`))).passed).toBe(true);
  expect((await check("either", qasm(`${HEAD}qubit q; h q;`))).findings).toHaveLength(1);
});

test("numbers pass within a difference, and a test of one's own says what is wrong", async () => {
  exercise("number", { statement: "T1?", check: checks.number(120, { within: 5, name: "T1" }) });
  expect((await check("number", 123)).passed).toBe(true);
  expect((await check("number", 130)).findings[0]!.message).toBe("T1 is too large.");
  for (const wrong of [Number.NaN, "120", null, { valueOf: () => 120 }])
    expect((await check("number", wrong as never)).passed).toBe(false);
  exercise("custom", {
    statement: "Comment.",
    check: checks.custom("Comment", given => String(given).includes("//") || "Say why."),
  });
  expect((await check("custom", "x;")).findings[0]!.message).toBe("Say why.");
});

test("hints are disclosures that need no kernel, and are revealed one at a time", () => {
  exercise("hinted", { statement: "Guess.", check: checks.number(1), hints: ["Small.", "Odd."] });
  const set = () =>
    exercise("hinted", { statement: "Guess.", check: checks.number(1), hints: ["Small.", "Odd."] });
  expect(set().toHTML()).toMatch(
    /<details><summary[^>]*>Hint 1<.*Small\..*<details><summary[^>]*>Hint 2<.*Odd\./,
  );
  expect(String(hint("hinted").toHTML())).toContain("<details open>");
  expect(inspect(set())).toContain("1: Small.");
  expect(inspect(set())).not.toContain("Odd.");
  expect(inspect(hint("hinted"))).toContain("2: Odd.");
});

test("what is no exercise, check or answer is refused with what to do", async () => {
  expect(() => exercise("a b", { statement: "x", check: checks.number(1) })).toThrow(/an id has letters/);
  expect(() => exercise("a", { statement: "", check: checks.number(1) })).toThrow(/describe the task/);
  expect(() => exercise("a", { statement: "x", check: [] })).toThrow(/give `check` as/);
  expect(() =>
    checks.unitary([
      [1, 1],
      [1, 1],
    ]),
  ).toThrow(/the matrix is not unitary/);
  expect(() => checks.state({ "00": 1, "11": 1 })).toThrow(KetbookError);
  expect(() => checks.distribution({ 0: 0.5, 11: 0.5 })).toThrow(/bit strings of one width/);
  expect(() => checks.resources({ qbits: 3 } as object)).toThrow(/"qbits" is not a limit/);
  exercise("bell-state", { statement: "x", check: checks.state({ 0: 1 }) });
  await expect(check("bell-sate", "").then(String)).rejects.toThrow(/did you mean "bell-state"/);
  await expect(check("bell-state", 3).then(String)).rejects.toThrow(/needs a program/);
});

test("what a student's program says cannot leave the picture of what is wrong", async () => {
  exercise("escaped", { statement: "<b>x</b>", check: checks.gates(["h"]) });
  const result = await check("escaped", qasm(`${HEAD}qubit q;\nx q; // <img src=x onerror=alert(1)>`));
  expect(result.toHTML()).not.toContain("<img src=x");
  expect(String(result.toHTML())).toContain("x is not allowed");
});
