import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visitOperations } from "../../../src/simulation/circuit/metrics.ts";
import {
  type Circuit,
  compile,
  type GateCall,
  namedGate,
  type OptimizationLevel,
  replaceGates,
  simulate,
  type Target,
  targetOf,
  transpile,
} from "../../../src/simulation/index.ts";
import { Layout, randomNumbers, shuffled } from "../../../src/simulation/transpile/layout.ts";
import { restoreLayout } from "../../../src/simulation/transpile/route-operations.ts";
import { TARGETS } from "./devices.ts";
import { dynamicProgram, unitaryProgram } from "./random-program.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const program = (body: string): Circuit => compile({ format: "qasm3", data: HEAD + body });
const declared = (numQubits: number, body: string) =>
  program(`qubit[${numQubits}] q; bit[${numQubits}] c;\n${body}`);

const level = fc.constantFrom<OptimizationLevel>(0, 1, 2, 3);
const device = (...names: string[]) => fc.constantFrom(...names);

const exact = (circuit: Circuit) => simulate(circuit, { shots: 0 }).measurementProbabilities!;

function largestDifference(a: Record<string, number>, b: Record<string, number>): number {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Math.max(0, ...keys.map(key => Math.abs((a[key] ?? 0) - (b[key] ?? 0))));
}

/** Returns 1 where two states are the same but for a phase, the qubits of the first where the layout says. */
function overlap(circuit: Circuit, moved: Circuit, layout: readonly number[]): number {
  const [own = [], other = []] = [circuit, moved].map(
    one => simulate(one, { shots: 0, statevector: true, precision: "double" }).statevector!,
  );
  let [re, im] = [0, 0];
  for (let i = 0; i < own.length / 2; i++) {
    const at = layout.reduce((index, physical, qubit) => index | (((i >> qubit) & 1) << physical), 0);
    re += own[2 * i]! * other[2 * at]! + own[2 * i + 1]! * other[2 * at + 1]!;
    im += own[2 * i]! * other[2 * at + 1]! - own[2 * i + 1]! * other[2 * at]!;
  }
  return Math.hypot(re, im);
}

const NATIVE: Readonly<Record<string, readonly string[]>> = {
  perth: ["rz", "sx", "x", "id", "cx"],
  auckland: ["rz", "sx", "x", "id", "cx"],
  brisbane: ["rz", "sx", "x", "id", "ecr"],
  garnet: ["prx", "cz"],
  forte: ["gpi", "gpi2", "zz"],
};

/** A program with a two-qubit unitary whose entries are multiples of powers of i, as those of Clifford gates, which it is not. */
const QUARTER_PHASES = {
  numQubits: 3,
  body: "ccx q[0], q[2], q[1]; ccx q[2], q[1], q[0]; cx q[2], q[1];",
};

/** Lists what of a circuit the device does not have. */
function foreign(circuit: Circuit, target: Target, native: readonly string[]): string[] {
  const found: string[] = [];
  visitOperations(circuit.parts, (name, qubits) => {
    if (["measure", "reset", "barrier"].includes(name)) return;
    const [a, b] = Array.from(qubits) as [number, number];
    const coupling = qubits.length === 2 ? target.couplingOf(a, b) : undefined;
    const fits = qubits.length === 1 || (coupling && (coupling.isSymmetric || coupling.qubits[0] === a));
    if (!native.includes(name) || !fits) found.push(`${name} ${Array.from(qubits)}`);
  });
  return found;
}

describe("a transpiled circuit", () => {
  test("does the same as the program, but for a phase, with the qubits where the layout says", () => {
    fc.assert(
      fc.property(unitaryProgram, level, device("perth"), fc.nat(), ({ numQubits, body }, at, name, seed) => {
        const own = program(`qubit[${numQubits}] q;\n${body}`);
        const { circuit, finalLayout } = transpile(own, TARGETS[name]!, { optimizationLevel: at, seed });
        expect(overlap(own, circuit, finalLayout)).toBeCloseTo(1, 9);
      }),
      { numRuns: 60, examples: [[QUARTER_PHASES, 3, "perth", 0]] },
    );
  });

  test("has the distribution of the program, with measurement, reset and control flow in between", () => {
    fc.assert(
      fc.property(
        dynamicProgram,
        level,
        device("perth", "auckland", "brisbane", "garnet", "forte"),
        fc.nat(),
        ({ numQubits, body }, at, name, seed) => {
          const own = declared(numQubits, `${body}\nc = measure q;`);
          const { circuit } = transpile(own, TARGETS[name]!, { optimizationLevel: at, seed });
          expect(largestDifference(exact(own), exact(circuit))).toBeLessThan(1e-8);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("puts the qubits back where a loop, its rounds and a subroutine are left early, after swaps in them", () => {
    const far = "cx q[0], q[3]; cx q[3], q[1]; cx q[1], q[2]; cx q[2], q[0];";
    const left = (jump: string) => `${far} if (c[0]) { h q[2]; ${jump} } ${far}`;
    const bodies = [
      `int n = 0; while (n < 2) { n += 1; ${left("break;")} c[0] = measure q[3]; }`,
      `for int i in [0:1] { ${left("continue;")} c[0] = measure q[3]; }`,
      `while (c[0]) { ${left("if (c[1]) { break; } else { x q[3]; }")} c[0] = measure q[3]; c[1] = measure q[2]; }`,
      `def f(qubit[4] q, bit b) -> bit { bit[1] c; c[0] = b; ${left("return 1;")} return 0; }\nc[2] = f(q, c[0]);`,
    ];
    for (const body of bodies) {
      const subroutine = /^def.*\n/.exec(body)?.[0] ?? "";
      const own = program(
        `${subroutine}qubit[4] q; bit[4] c; ry(1) q[0]; h q[1]; rx(0.7) q[2]; c[0] = measure q[0];
${body.slice(subroutine.length)}\nc = measure q;`,
      );
      const expected = exact(own);
      for (const [name, target] of Object.entries(TARGETS))
        for (const optimizationLevel of [0, 1, 2, 3] as const) {
          const { circuit } = transpile(own, target, { optimizationLevel });
          expect(largestDifference(expected, exact(circuit)), `${name} ${body}`).toBeLessThan(1e-8);
        }
    }
  });

  test("has swaps that bring any layout back, also past places where no qubit of the program belongs", () => {
    fc.assert(
      fc.property(device("perth", "garnet"), fc.nat(), fc.nat(), (name, count, seed) => {
        const target = TARGETS[name]!;
        const { numQubits } = target;
        const numUsed = 1 + (count % numQubits);
        const random = randomNumbers(seed);
        const [layout, wanted] = [0, 1].map(() => new Layout(shuffled(numQubits, random))) as [
          Layout,
          Layout,
        ];
        const swaps = restoreLayout(layout, wanted, numUsed, target);
        for (const [a, b] of swaps) expect(target.couplingOf(a, b)).toBeDefined();
        expect(layout.toPhysical.slice(0, numUsed)).toEqual(wanted.toPhysical.slice(0, numUsed));
      }),
      { numRuns: 300 },
    );
  });

  test("has native gates alone, on couplings of the device and in their directions", () => {
    fc.assert(
      fc.property(dynamicProgram, level, device(...Object.keys(NATIVE)), ({ numQubits, body }, at, name) => {
        const { circuit } = transpile(declared(numQubits, body), TARGETS[name]!, { optimizationLevel: at });
        expect(foreign(circuit, TARGETS[name]!, NATIVE[name]!)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("is the same for the same seed", () => {
    fc.assert(
      fc.property(dynamicProgram, level, fc.nat(), ({ numQubits, body }, at, seed) => {
        const run = () => {
          const { circuit, ...layouts } = transpile(declared(numQubits, body), TARGETS.auckland!, {
            optimizationLevel: at,
            seed,
          });
          return { operations: circuit.parts.operations, body: circuit.parts.body, ...layouts };
        };
        expect(run()).toEqual(run());
      }),
      { numRuns: 20 },
    );
  });

  test("keeps gates that undo each other up to level 1, and joins them from level 2 on", () => {
    const own = declared(2, "x q[0]; x q[0]; cx q[0], q[1]; cx q[0], q[1];");
    const counts = (at: OptimizationLevel) =>
      transpile(own, TARGETS.perth!, { optimizationLevel: at }).circuit.gateCounts();
    expect(counts(1)).toEqual({ x: 2, cx: 2 });
    expect(counts(2)).toEqual({});
  });

  test("joins gates between which two others come to one-qubit gates", () => {
    const own = declared(3, "cz q[0], q[1]; cx q[1], q[2]; x q[1]; cx q[1], q[2]; cz q[0], q[1];");
    expect(transpile(own, TARGETS.perth!, { optimizationLevel: 2 }).circuit.gateCounts().cx).toBeUndefined();
  });

  test("moves a control along the qubits that it meets one after the other", () => {
    const edges = Array.from({ length: 24 }, (_, i) => [i, i + 1] as const);
    const line = targetOf({ type: "coupling-map", qubits: 25, edges });
    const body = "for int i in [1:12] { cswap q[0], q[i], q[i + 12]; }\nc = measure q;";
    const { circuit } = transpile(declared(25, body), line, { optimizationLevel: 3 });
    expect(circuit.gateCounts().cx).toBeLessThan(200);
  });

  test("may be of a program with thousands of choices one after the other", () => {
    const round = "h q[i % 3]; c[0] = measure q[i % 3]; if (c[0]) { x q[(i + 1) % 3]; }";
    const own = declared(3, `for int i in [0:1999] { ${round} }`);
    const { circuit } = transpile(own, TARGETS.perth!, { optimizationLevel: 2 });
    expect(circuit.gateCounts().measure).toBe(2000);
  });

  test("needs no swap where the program fits the device", () => {
    const line = Array.from({ length: 11 }, (_, i) => `cx q[${i}], q[${i + 1}];`).join("\n");
    const { circuit } = transpile(declared(12, `h q[0];\n${line}`), TARGETS.auckland!, {});
    expect(circuit.gateCounts().cx).toBe(11);
  });

  test("prefers qubits and couplings with the least errors", () => {
    const own = declared(2, "cx q[0], q[1]; c = measure q;");
    const { initialLayout } = transpile(own, TARGETS.brisbane!, { optimizationLevel: 2 });
    const chosen = TARGETS.brisbane!.couplingOf(initialLayout[0]!, initialLayout[1]!)!;
    const errors = TARGETS.brisbane!.couplings.map(({ error }) => error).sort((a, b) => a - b);
    expect(chosen.error).toBeLessThan(errors[errors.length >> 1]!);
  });

  test("stays on the physical qubits of the same numbers at level 1, where that needs no swaps", () => {
    const own = declared(3, "cx q[0], q[1]; cx q[1], q[2]; c = measure q;");
    expect(transpile(own, TARGETS.perth!).initialLayout).toEqual([0, 1, 2]);
  });

  test("begins where the initial layout says", () => {
    const options = { initialLayout: [6, 0, 3], optimizationLevel: 2 } as const;
    const own = declared(3, "h q[0]; cx q[0], q[1]; cx q[1], q[2]; c = measure q;");
    const { circuit, initialLayout } = transpile(own, TARGETS.perth!, options);
    expect(initialLayout).toEqual([6, 0, 3]);
    expect(largestDifference(exact(own), exact(circuit))).toBeLessThan(1e-9);
  });
});

describe("a program of physical qubits", () => {
  test("keeps them", () => {
    const own = program("bit[2] c; h $3; cx $3, $5; c[0] = measure $3; c[1] = measure $5;");
    const { circuit, initialLayout } = transpile(own, TARGETS.perth!);
    expect(initialLayout.slice(3, 6)).toEqual([3, 4, 5]);
    expect(foreign(circuit, TARGETS.perth!, NATIVE.perth!)).toEqual([]);
    expect(exact(circuit)).toEqual({ "00": expect.closeTo(0.5), "11": expect.closeTo(0.5) });
  });

  test("is refused where the device has no such edge, with the neighbours of both qubits", () => {
    expect(() => transpile(program("\ncx $0, $126;"), TARGETS.brisbane!)).toThrow(
      "4:1: cx $0, $126: the device does not couple these qubits. $0 is coupled to $1, $14; $126 is coupled to $112, $125. Declare qubits with `qubit[n] q;` to have them routed.",
    );
  });

  test("is refused where the device has no such qubit", () => {
    expect(() => transpile(program("x $7;"), TARGETS.perth!)).toThrow("The device has no qubit $7");
  });
});

test("a rotation about Z between native pulses costs none", () => {
  const written = program(
    "bit[2] c; rx(1) $3; ry(0.7) $3; cz $3, $2; rx(0.4) $3; c[0] = measure $3; c[1] = measure $2;",
  );
  const { circuit } = transpile(written, TARGETS.garnet!);
  const z = ({ qubits }: GateCall) =>
    qubits.map(qubit => ({ gate: namedGate("z")!, params: [], qubits: [qubit] }));
  const turned = replaceGates(circuit, { known: call => [...z(call), call] });
  const again = transpile(turned, TARGETS.garnet!, { optimizationLevel: 0 }).circuit;
  expect(again.gateCounts()).toEqual(circuit.gateCounts());
  expect(largestDifference(exact(again), exact(turned))).toBeLessThan(1e-9);
});

describe("a verbatim program", () => {
  const own = "gate prx(t, p) q { rz(-p) q; rx(t) q; rz(p) q; }\n";
  const rzx = "gate rzx(t) a, b { h b; cx a, b; rz(t) b; cx a, b; h b; }\n";
  const ecr = `${rzx}gate ecr a, b { rzx(pi / 4) a, b; x a; rzx(-pi / 4) a, b; }\n`;
  test.each([
    [
      "perth",
      "bit[2] c; sx $0; rz(0.3) $0; x $0; x $0; for int i in [0:1] { cx $0, $1; } c[0] = measure $0;",
    ],
    ["perth", "bit[2] c; sx $0; c[0] = measure $0; if (c[0]) { delay[1us] $1; x $1; } c[1] = measure $1;"],
    ["garnet", `${own} bit c; prx(pi, 0.4) $3; cz $3, $2; cz $2, $3; c = measure $3;`],
  ])("runs as it is written, whatever the level: on %s, %s", (name, body) => {
    const circuit = program(body);
    for (const optimizationLevel of [0, 1, 2, 3] as const)
      expect(transpile(circuit, TARGETS[name]!, { optimizationLevel, verbatim: true }).circuit).toBe(circuit);
  });

  test.each([
    ["perth", "qubit[2] q; cx q[0], q[1];", "names physical qubits"],
    ["perth", "\nx $1;\nh $1;", "5:1: h $1: the device has no such gate; its own are rz, sx, x, id, cx."],
    ["perth", "ccx $0, $1, $2;", "ccx $0, $1, $2: the device has no such gate"],
    ["perth", "cx $0, $6;", "the device does not couple these qubits"],
    ["perth", "x $7;", "The device has no qubit $7"],
    ["brisbane", `${ecr}ecr $0, $1;`, "ecr $0, $1: the device has this gate as ecr $1, $0 only."],
    ["garnet", "gate prx(t, p) q { rz(p) q; rx(t) q; rz(-p) q; }\nprx(1, 0.4) $3;", "no such gate"],
    ["forte", "rz(0.3) $0;", "its own are gpi, gpi2, zz"],
  ])("is refused where the device would have to change it: on %s, %s", (name, body, message) => {
    expect(() => transpile(program(body), TARGETS[name]!, { verbatim: true })).toThrow(message);
  });
});

describe("a program with a box after #pragma braket verbatim", () => {
  const boxed = (gates: string) =>
    program(`bit c;\n#pragma braket verbatim\nbox { ${gates} }\nc = measure $1;`);

  test("runs as it is written", () => {
    const circuit = boxed("sx $1; sx $1; rz(0.3) $1; cx $1, $0;");
    expect(transpile(circuit, TARGETS.perth!, { optimizationLevel: 3 }).circuit).toBe(circuit);
  });

  test.each([
    [
      "h $1;",
      "5:7: h $1: the device has no such gate; its own are rz, sx, x, id, cx. Leave `#pragma braket verbatim` out",
    ],
    ["cx $1, $6;", "the device does not couple these qubits"],
  ])("is refused where the device would have to change it: %s", (gates, message) => {
    expect(() => transpile(boxed(gates), TARGETS.perth!)).toThrow(message);
  });

  test("does the same on a simulator", () => {
    expect(simulate(boxed("x $1;"), { shots: 10 }).measurementCounts).toEqual({ "1": 10 });
  });

  test("is refused where no box follows", () => {
    expect(() => program("bit c;\n#pragma braket verbatim\nx $0;")).toThrow(
      "4:1: No box follows this pragma.",
    );
  });
});

describe("a program that does not fit", () => {
  test("is refused with both numbers of qubits", () => {
    expect(() => transpile(declared(8, "h q;"), TARGETS.perth!)).toThrow(
      "The program acts on 8 qubits; the device has 7.",
    );
  });

  test.each([
    [[0, 1], "names 2 physical qubits for the program's 3"],
    [[0, 1, 7], "puts qubit 2 on 7"],
    [[0, 1, 0], "puts the qubits 0 and 2 on the same physical qubit"],
  ])("is refused for the initial layout %j", (initialLayout, message) => {
    expect(() => transpile(declared(3, "h q;"), TARGETS.perth!, { initialLayout })).toThrow(message);
  });
});

describe("a program that declares more qubits than the device has", () => {
  const wide = (body: string) => program(`qubit[200] q; bit[3] c;\n${body}`);
  const chain = "h q[0]; cx q[0], q[150]; cx q[150], q[199];";
  const measured = "c[0] = measure q[0]; c[1] = measure q[150]; c[2] = measure q[199];";

  test.each([0, 1, 2, 3] as const)("runs on those that it touches, at level %i", optimizationLevel => {
    const own = wide(`${chain} barrier q; delay[10ns] q; delay[5ns] q[7]; box { delay[1us]; } ${measured}`);
    const { circuit, initialLayout, finalLayout } = transpile(own, TARGETS.perth!, { optimizationLevel });
    expect(circuit.numQubits).toBe(7);
    expect(exact(circuit)).toEqual({ "000": expect.closeTo(0.5), "111": expect.closeTo(0.5) });
    for (const layout of [initialLayout, finalLayout]) {
      const places = [...layout.entries()].filter(([, physical]) => physical >= 0);
      expect(layout).toHaveLength(200);
      expect(places.map(([qubit]) => qubit)).toEqual([0, 150, 199]);
    }
  });

  test("begins where a layout of the touched qubits says, or of all", () => {
    const layout = new Array<number>(200).fill(-1);
    [layout[0], layout[150], layout[199]] = [3, 5, 6];
    for (const initialLayout of [[3, 5, 6], layout]) {
      const result = transpile(wide(chain + measured), TARGETS.perth!, { initialLayout });
      expect(result.initialLayout).toEqual(layout);
    }
  });

  test("borrows only qubits that it touches, for large gates", () => {
    const own = program(
      "qubit[20] q; bit c; x q[0]; x q[1]; x q[2]; x q[3]; x q[4]; ctrl(5) @ x q[0], q[1], q[2], q[3], q[4], q[9]; c = measure q[9];",
    );
    expect(exact(transpile(own, TARGETS.perth!).circuit)).toEqual({ "1": expect.closeTo(1) });
  });

  test("counts the qubits of the rounds of its loops", () => {
    const own = wide("for int i in [10:12] { x q[i]; } c[0] = measure q[11];");
    expect(exact(transpile(own, TARGETS.perth!).circuit)).toEqual({ "001": expect.closeTo(1) });
  });

  test("is refused with the number of those that it touches", () => {
    expect(() => transpile(wide("for int i in [10:17] { x q[i]; }"), TARGETS.perth!)).toThrow(
      "The program acts on 8 qubits; the device has 7.",
    );
  });
});

test.each([
  "int n = 3; float[64] x = 0.5; array[int[8], 2] a = {1, 2}; h q[0]; c[0] = measure q[0]; int m = 4; if (c[0]) { m = 7; a[1] = 9; }",
  "output int k; h q[0]; c[0] = measure q[0]; k = int(c[0]) + 2; for int i in [0:k] { x q[1]; }",
  "int s = 0; for int i in [0:2] { h q[0]; c[0] = measure q[0]; if (c[0]) { c[1] = 1; s += i; continue; } s -= 1; }",
])("variables have the values that the program gives them: %s", body => {
  const own = declared(2, body);
  const outputsOf = (circuit: Circuit) =>
    new Set(
      simulate(circuit, { shots: 300, seed: 1, memory: true }).outputs!.map(output => JSON.stringify(output)),
    );
  const { circuit } = transpile(own, TARGETS.perth!, { optimizationLevel: 2 });
  expect(outputsOf(circuit)).toEqual(outputsOf(own));
});

describe("control flow", () => {
  test.each([
    [
      "a loop that a measurement ends",
      "h q[0]; c[0] = measure q[0]; while (!c[0]) { h q[0]; cx q[0], q[2]; c[0] = measure q[0]; } c[1] = measure q[2];",
    ],
    [
      "a break out of a loop over values",
      "for int i in [0:2] { ry(1.1) q[i]; c[i] = measure q[i]; if (c[i]) break; cx q[0], q[2]; }",
    ],
    [
      "a round that is cut short",
      "for int i in [0:2] { ry(1.1) q[i]; c[i] = measure q[i]; if (c[i]) continue; cx q[i], q[(i + 2) % 3]; } c = measure q;",
    ],
    [
      "angles that measurements decide",
      "int n = 0; ry(0.7) q[0]; c[0] = measure q[0]; n += int(c[0]); rx(n * 0.4 + 0.3) q[1]; crz(n * 0.5) q[0], q[2]; h q[2]; c = measure q;",
    ],
    [
      "other gates by such angles",
      "h q[0]; c[0] = measure q[0]; int n = int(c[0]); h q[1]; p(n + 0.2) q[1]; ry(n * 1.3) q[2]; cp(n * 0.9 + 0.4) q[1], q[2]; U(n, 0.3, n * 0.7) q[1]; c = measure q;",
    ],
    [
      "a qubit that measurements decide",
      "h q[0]; c[0] = measure q[0]; int i = int(c[0]) + 1; x q[i]; c = measure q;",
    ],
    [
      "a loop that counts its rounds",
      "int n = 0; h q[0]; c[0] = measure q[0]; while (c[0]) { n += 1; h q[0]; cx q[0], q[2]; c[0] = measure q[0]; if (n > 2) { break; } } rx(n * 0.4) q[1]; c[1] = measure q[1]; c[2] = measure q[2];",
    ],
    [
      "a switch",
      "ry(0.7) q[0]; c[0] = measure q[0]; switch (int(c[0])) { case 0 { x q[1]; } default { cx q[0], q[2]; } } c[2] = measure q[2];",
    ],
    [
      "a subroutine that returns early",
      "def f(qubit a, qubit b) -> bit { bit m = measure a; if (m) { return m; } cx a, b; x b; return m; } ry(0.9) q[0]; c[0] = f(q[0], q[2]); c[2] = measure q[2];",
    ],
  ])("is kept: %s", (_, body) => {
    const head = body.startsWith("def") ? body.slice(0, body.indexOf("} ry") + 1) : "";
    const own = program(`${head}qubit[3] q; bit[3] c;\n${body.slice(head.length)}`);
    for (const optimizationLevel of [0, 1, 2, 3] as const)
      for (const name of ["perth", "garnet", "forte"]) {
        const { circuit } = transpile(own, TARGETS[name]!, { optimizationLevel });
        expect(foreign(circuit, TARGETS[name]!, NATIVE[name]!)).toEqual([]);
        expect(largestDifference(exact(own), exact(circuit))).toBeLessThan(1e-8);
      }
  });
});
