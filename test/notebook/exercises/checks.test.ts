import { describe, expect, test } from "vitest";
import { check, checks, type ExerciseOptions, exercise } from "../../../src/course.ts";
import { qasm, State } from "../../../src/index.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
let count = 0;

/** Checks one answer to an exercise of its own. */
async function ask(required: ExerciseOptions["check"], program: string) {
  const { id } = exercise(`exercise-${count++}`, { statement: "Do it.", check: required });
  return await check(id, qasm(program.startsWith("OPENQASM") ? program : HEAD + program));
}

interface Case {
  check: ExerciseOptions["check"];
  right: Record<string, string>;
  wrong: Record<string, readonly [program: string, says: RegExp]>;
}

const bell = checks.state({ "00": Math.SQRT1_2, "11": Math.SQRT1_2 });
const cases: Record<string, Case> = {
  "a Bell state": {
    check: bell,
    right: {
      textbook: "qubit[2] q; h q[0]; cx q[0], q[1];",
      "the other way round": "qubit[2] q; h q[1]; cx q[1], q[0];",
      "another gate set":
        "qubit[2] q; rz(pi/2) q[0]; sx q[0]; rz(pi/2) q[0]; h q[1]; cz q[0], q[1]; rz(pi/2) q[1]; sx q[1]; rz(pi/2) q[1];",
      "registers of one qubit, and other names":
        "qubit alice; qubit bob; bit[7] unused; h alice; cx alice, bob;",
      "rounded angles": "qubit[2] q; ry(1.570796) q[0]; cx q[0], q[1];",
      "a global phase": "qubit[2] q; h q[0]; cx q[0], q[1]; gphase(1.2);",
      "OpenQASM 2": 'OPENQASM 2.0; include "qelib1.inc"; qreg r[2]; h r[0]; cx r[0],r[1];',
      "a reset at the beginning": "qubit[2] q; reset q; h q[0]; cx q[0], q[1];",
      "qubits that are not used": "qubit[5] q; h q[0]; cx q[0], q[1];",
      "a loop and a gate of its own":
        "gate pair a, b { h a; cx a, b; } qubit[2] q; for int i in [0:0] pair q[i], q[i + 1];",
      "a gate that is controlled": "qubit[2] q; h q[0]; ctrl @ x q[0], q[1];",
    },
    wrong: {
      "measured at the end": [
        "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;",
        /measures a qubit/,
      ],
      "another sign": [
        "qubit[2] q; x q[0]; h q[0]; cx q[0], q[1];",
        /should be 0\.707\|00⟩ \+ 0\.707\|11⟩, and is 0\.707\|00⟩ − 0\.707\|11⟩/,
      ],
      "a relative phase": ["qubit[2] q; h q[0]; cx q[0], q[1]; t q[0];", /e\^\(iπ\/4\)\|11⟩/],
      "the other Bell state": ["qubit[2] q; h q[0]; cx q[0], q[1]; x q[1];", /\|01⟩|\|10⟩/],
      "a mixture with the same outcomes": [
        "qubit[2] q; bit c; h q[0]; c = measure q[0]; if (c) x q[1];",
        /depends on what is measured/,
      ],
      nothing: ["qubit[2] q;", /and is \|00⟩/],
      "one qubit": ["qubit q; h q;", /has 1 qubit, and 2 are asked for/],
      "a third qubit that stays entangled": [
        "qubit[3] q; h q[0]; cx q[0], q[1]; cx q[0], q[2];",
        /uses more than the 2 qubits/,
      ],
      "an angle that is off": ["qubit[2] q; ry(1.5) q[0]; cx q[0], q[1];", /fidelity/],
      "a mistake": ["qubit[2] q; hh q[0];", /does not compile/],
    },
  },
  "S on the first of two qubits": {
    check: checks.unitary(`${HEAD}qubit[2] q; s q[0];`),
    right: {
      itself: "qubit[2] q; s q[0];",
      "two T gates": "qubit[2] q; t q[0]; t q[0];",
      "a rotation": "qubit[2] q; rz(pi/2) q[0];",
      "computed and uncomputed": "qubit[2] q; cx q[0], q[1]; cx q[0], q[1]; p(pi/2) q[0];",
    },
    wrong: {
      "its inverse": [
        "qubit[2] q; sdg q[0];",
        /For the input 0\.707\|00⟩ \+ 0\.707\|01⟩ the output should be 0\.707\|00⟩ \+ 0\.707i\|01⟩, and is 0\.707\|00⟩ − 0\.707i\|01⟩/,
      ],
      nothing: ["qubit[2] q;", /For the input/],
      "the other qubit": ["qubit[2] q; s q[1];", /in another order/],
      "right on |00⟩ alone": ["qubit[2] q; z q[0];", /For the input/],
      measured: ["qubit[2] q; bit c; s q[0]; c = measure q[0];", /destroys its superposition/],
      "measured in the middle": [
        "qubit[2] q; bit c; c = measure q[0]; s q[0];",
        /destroys its superposition/,
      ],
      reset: ["qubit[2] q; reset q[1]; s q[0];", /For the input|ways/],
    },
  },
  "S to be controlled": {
    check: checks.unitary(`${HEAD}qubit q; s q;`, { globalPhase: "exact" }),
    right: { p: "qubit q; p(pi/2) q;", "rz with its phase": "qubit q; rz(pi/2) q; gphase(pi/4);" },
    wrong: { rz: ["qubit q; rz(pi/2) q;", /Only the global phase/] },
  },
  "a Toffoli gate with an ancilla": {
    check: checks.unitary(`${HEAD}qubit[3] q; ccx q[0], q[1], q[2];`, { ancillas: ["a"] }),
    right: {
      "without it": "qubit[3] q; ccx q[0], q[1], q[2];",
      "computed, used and uncomputed":
        "qubit[3] q; qubit a; ccx q[0], q[1], a; cx a, q[2]; ccx q[0], q[1], a;",
      "declared first":
        "qubit a; qubit[3] data; ccx data[0], data[1], a; cx a, data[2]; ccx data[0], data[1], a;",
    },
    wrong: {
      "left entangled": ["qubit[3] q; qubit a; ccx q[0], q[1], a; cx a, q[2];", /are left entangled/],
      "left in |1⟩": ["qubit[3] q; qubit a; ccx q[0], q[1], q[2]; x a;", /are not in \|0⟩/],
      "uncomputed by a reset": [
        "qubit[3] q; qubit a; ccx q[0], q[1], a; cx a, q[2]; reset a;",
        /depends on what is measured/,
      ],
      "of another name": [
        "qubit[3] q; qubit b; ccx q[0], q[1], b; cx b, q[2]; ccx q[0], q[1], b;",
        /uses more than the 3 qubits/,
      ],
    },
  },
  "a phase oracle by kickback": {
    check: checks.unitary(`${HEAD}qubit[2] q; cz q[0], q[1];`, { ancillas: 1, othersEnd: "any" }),
    right: {
      kickback: "qubit[2] q; qubit a; x a; h a; ccx q[0], q[1], a;",
      directly: "qubit[2] q; cz q[0], q[1];",
    },
    wrong: { "a bit oracle": ["qubit[2] q; qubit a; ccx q[0], q[1], a;", /For the input/] },
  },
  "a Fourier transform up to the order of its outputs": {
    check: checks.unitary(`${HEAD}qubit[2] q; h q[1]; cp(pi/2) q[0], q[1]; h q[0]; swap q[0], q[1];`, {
      qubitOrder: "any-output",
    }),
    right: {
      "with swap": "qubit[2] q; h q[1]; cp(pi/2) q[0], q[1]; h q[0]; swap q[0], q[1];",
      without: "qubit[2] q; h q[1]; cp(pi/2) q[0], q[1]; h q[0];",
    },
    wrong: { "the wrong rotation": ["qubit[2] q; h q[1]; cp(pi/4) q[0], q[1]; h q[0];", /For the input/] },
  },
  "a state that is teleported": {
    check: checks.state(`${HEAD}qubit q; ry(0.7) q; rz(0.4) q;`, { qubits: ["bob"] }),
    right: {
      teleported:
        "qubit[2] alice; qubit bob; bit[2] m; ry(0.7) alice[0]; rz(0.4) alice[0]; h alice[1]; cx alice[1], bob; cx alice[0], alice[1]; h alice[0]; m = measure alice; if (m[1]) x bob; if (m[0]) z bob;",
    },
    wrong: {
      "without a correction": [
        "qubit[2] alice; qubit bob; bit[2] m; ry(0.7) alice[0]; rz(0.4) alice[0]; h alice[1]; cx alice[1], bob; cx alice[0], alice[1]; h alice[0]; m = measure alice; if (m[1]) x bob;",
        /4 ways/,
      ],
      "no bob": ["qubit[3] q;", /has no bob/],
    },
  },
  "one of two outcomes": {
    check: checks.distribution({ "00": 0.5, "11": 0.5 }),
    right: {
      textbook: "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;",
      "other names, and bits that are not used":
        "qubit[2] q; bit[3] spare; bit[2] out; h q[0]; cx q[0], q[1]; out = measure q;",
      "two registers": "qubit[2] q; bit a; bit b; h q[0]; cx q[0], q[1]; a = measure q[0]; b = measure q[1];",
      "bits that begin as 0": 'qubit[2] q; bit[2] c = "00"; h q[0]; cx q[0], q[1]; c = measure q;',
      "crossed bits":
        "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c[0] = measure q[1]; c[1] = measure q[0];",
      "an ancilla that is measured":
        "qubit[3] q; bit syndrome; bit[2] c; h q[0]; cx q[0], q[1]; syndrome = measure q[2]; c = measure q[0:1];",
      "another state": "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; z q[0]; c = measure q;",
    },
    wrong: {
      unmeasured: ["qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1];", /measures nothing/],
      "half measured": [
        "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c[0] = measure q[0];",
        /Nothing is measured into c\[1\]/,
      ],
      "a copied bit": [
        "qubit q; bit[2] c; h q; c[0] = measure q; c[1] = c[0];",
        /c\[1\] is set by the program/,
      ],
      "no qubit": [
        'qubit q; bit[2] c = "11"; bit d; d = measure q;',
        /set by the program|Nothing is measured|measures into/,
      ],
      "all four": [
        "qubit[2] q; bit[2] c; h q; c = measure q;",
        /should have 0(\.0)? %, and has 25\.0 %|should have 50\.0 %, and has 25\.0 %/,
      ],
      "one of them": ["qubit[2] q; bit[2] c; x q; c = measure q;", /The outcome 11|The outcome 00/],
      "a biased coin": [
        "qubit[2] q; bit[2] c; ry(1.5) q[0]; cx q[0], q[1]; c = measure q;",
        /total variation distance/,
      ],
      "measured before": ["qubit[2] q; bit[2] c; c = measure q; h q[0]; cx q[0], q[1];", /The outcome/],
      "three bits": [
        "qubit[3] q; bit[3] c; h q[0]; cx q[0], q[1]; cx q[0], q[2]; c = measure q;",
        /measures into 3 bits, and 2 are asked for/,
      ],
    },
  },
  "a certain outcome in its order": {
    check: checks.distribution({ "01": 1 }),
    right: { "the first qubit": "qubit[2] q; bit[2] c; x q[0]; c = measure q;" },
    wrong: { "the second": ["qubit[2] q; bit[2] c; x q[1]; c = measure q;", /reverse order/] },
  },
  "few resources": {
    check: [bell, checks.resources({ twoQubitGates: 1, depth: 3, qubits: 2 })],
    right: { textbook: "qubit[2] q; h q[0]; cx q[0], q[1];" },
    wrong: {
      "a loop": [
        "qubit[2] q; h q[0]; for int i in [0:2] cx q[0], q[1];",
        /3 two-qubit gates, and 1 are allowed/,
      ],
      "a gate of its own": [
        "gate g a, b { cx a, b; cx a, b; cx a, b; } qubit[2] q; h q[0]; g q[0], q[1];",
        /3 two-qubit gates/,
      ],
      "a power": [
        "qubit[2] q; h q[0]; pow(3) @ cx q[0], q[1]; cx q[0], q[1]; cx q[0], q[1];",
        /3 two-qubit gates/,
      ],
      "a subroutine": [
        "def f(qubit a, qubit b) { cx a, b; } qubit[2] q; h q[0]; f(q[0], q[1]); f(q[0], q[1]); f(q[0], q[1]);",
        /3 two-qubit gates/,
      ],
      "a branch": [
        "qubit[2] q; bit c; h q[0]; c = measure q[1]; if (!c) { cx q[0], q[1]; cx q[0], q[1]; } cx q[0], q[1];",
        /3 two-qubit gates/,
      ],
      "a Toffoli gate": [
        "qubit[3] q; x q[2]; h q[0]; ccx q[2], q[0], q[1]; x q[2];",
        /6 two-qubit gates.*ccx acts on 3 qubits/,
      ],
    },
  },
  "some gates": {
    check: [checks.unitary(`${HEAD}qubit[2] q; swap q[0], q[1];`), checks.gates(["cx", "h"])],
    right: {
      "three CNOTs": "qubit[2] q; cx q[0], q[1]; cx q[1], q[0]; cx q[0], q[1];",
      "in a gate of its own": "gate three a, b { cx a, b; cx b, a; cx a, b; } qubit[2] q; three q[0], q[1];",
      "by a modifier": "qubit[2] q; ctrl @ x q[0], q[1]; cx q[1], q[0]; cx q[0], q[1];",
    },
    wrong: {
      "the gate itself": ["qubit[2] q; swap q[0], q[1];", /swap is not allowed \(line 3: qubit\[2\] q; swap/],
      "hidden in a gate of its own": [
        "gate g a, b { swap a, b; } qubit[2] q; g q[0], q[1];",
        /swap is not allowed/,
      ],
      "under a name that is allowed": [
        "OPENQASM 3.0; gate cx a, b { ctrl @ U(pi, 0, pi) a, b; } gate h a { U(0, 0, 0) a; } qubit[2] q; cx q[0], q[1]; cx q[1], q[0]; cx q[0], q[1]; h q[0];",
        /U is not allowed/,
      ],
    },
  },
};

test("a number that should be 0 is right but for rounding", async () => {
  exercise("zero", { statement: "Give it.", check: checks.number(0) });
  expect((await check("zero", Math.cos(Math.PI / 2))).passed).toBe(true);
  expect((await check("zero", 1e-6)).passed).toBe(false);
});

test("probabilities that are rounded, as 0.333 is, are met by what rounds to them", async () => {
  exercise("third", {
    statement: "Measure 1 in one of three shots.",
    check: checks.distribution({ "0": 0.667, "1": 0.333 }),
  });
  const turned = (share: number) =>
    qasm(`${HEAD}qubit q; bit c; ry(${2 * Math.asin(Math.sqrt(share))}) q; c = measure q;`);
  expect((await check("third", turned(1 / 3))).passed).toBe(true);
  expect((await check("third", turned(0.335))).passed).toBe(false);
});

test("one of several is tried also where another needs an answer of another kind", async () => {
  const either = checks.any(checks.state({ "0": 1 }), checks.number(3));
  exercise("either", { statement: "Give one.", check: either });
  expect((await check("either", 3)).passed).toBe(true);
  expect((await check("either", qasm(`${HEAD}qubit q;`))).passed).toBe(true);
});

describe.each(Object.entries(cases))("%s", (_, { check: required, right, wrong }) => {
  test.each(Object.entries(right))("right: %s", async (_, program) => {
    expect((await ask(required, program)).toJSON()).toMatchObject({ passed: true });
  });
  test.each(Object.entries(wrong))("wrong: %s", async (_, [program, says]) => {
    const result = await ask(required, program);
    expect(result.passed).toBe(false);
    expect(
      result.findings
        .filter(({ passed }) => !passed)
        .map(({ message }) => message)
        .join(" "),
    ).toMatch(says);
  });
});

test("State", async () => {
  expect((await ask(checks.state(State.from([1, 0])), "qubit q;")).passed).toBe(true);
});
