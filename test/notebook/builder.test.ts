import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { circuits, type ProgramBuilder, program, qasm } from "../../src/index.ts";
import { countsOf, type Method } from "./program-counts.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const METHODS = [
  "statevector",
  "sparse",
  "stabilizer",
  "extended stabilizer",
  "matrix product state",
] as const;

const CLIFFORD = ["x", "y", "z", "h", "s", "sdg", "sx", "sxdg", "cx", "cy", "cz", "swap"] as const;
const ROTATIONS = ["p", "rx", "ry", "rz", "cp", "crx", "cry", "crz", "rxx", "rzz"] as const;
const NAMES = [...CLIFFORD, "t", "tdg", "ch", "cswap", "ccx", ...ROTATIONS] as const;
type Name = (typeof NAMES)[number];
type Call = readonly [name: Name, angle: number, qubits: readonly number[]];

const numQubits = 4;
const arity = (name: Name) => (/^(cs|cc)/.test(name) ? 3 : /^(c|sw|rxx|rzz)/.test(name) ? 2 : 1);
const hasAngle = (name: Name) => (ROTATIONS as readonly string[]).includes(name);
const callsOf = (names: readonly Name[], maxLength = 12): fc.Arbitrary<Call[]> =>
  fc.array(
    fc
      .record({
        name: fc.constantFrom(...names),
        angle: fc.oneof(
          fc.constantFrom(Math.PI / 4, -Math.PI / 2, (3 * Math.PI) / 8, Math.PI),
          fc.double({ min: -7, max: 7, noNaN: true }),
        ),
        order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: numQubits }),
      })
      .map(({ name, angle, order }): Call => [name, angle, order.slice(0, arity(name))]),
    { maxLength },
  );

const add = (q: ProgramBuilder, calls: readonly Call[]) => {
  for (const [name, angle, qubits] of calls)
    (q[name] as (...args: number[]) => unknown).call(q, ...(hasAngle(name) ? [angle] : []), ...qubits);
  return q;
};
const built = (calls: readonly Call[]) => program(numQubits, q => add(q, calls));
const written = (calls: readonly Call[]) =>
  qasm.text(
    `${HEAD}qubit[${numQubits}] q;\n${calls
      .map(([name, angle, qubits]) => {
        const number = String(angle).includes("e") || !Number.isInteger(angle) ? String(angle) : `${angle}.0`;
        return `${name}${hasAngle(name) ? `(${number})` : ""} ${qubits.map(qubit => `q[${qubit}]`).join(", ")};\n`;
      })
      .join("")}`,
  );

describe("random programs", () => {
  const agree = (names: readonly Name[], methods: readonly Method[]) =>
    fc.property(callsOf(names), calls => {
      const [one, other] = [built(calls).measureAll(), written(calls).measureAll()];
      for (const method of methods) expect(countsOf(one, method), method).toEqual(countsOf(other, method));
    });

  test("run as their text does, in every method", () => {
    fc.assert(
      agree(
        NAMES,
        METHODS.filter(method => !/stabilizer/.test(method)),
      ),
      { numRuns: 40 },
    );
    fc.assert(agree(CLIFFORD, METHODS), { numRuns: 30 });
  }, 120_000);

  test("equal their text, and read back as they are printed", () => {
    fc.assert(
      fc.property(callsOf(NAMES), calls => {
        const made = built(calls);
        expect(made.counterexample(written(calls))).toBeNull();
        expect(made.on([0, 1, 2, 3]).data).toBe(made.data);
      }),
      { numRuns: 100 },
    );
  }, 120_000);

  test("are undone by their inverses, repeated by powers and chosen by controls", () => {
    fc.assert(
      fc.property(callsOf(NAMES, 8), fc.integer({ min: -4, max: 4 }), (calls, exponent) => {
        const made = built(calls);
        const nothing = built([]);
        expect(made.compose(made.inverse()).counterexample(nothing)).toBeNull();
        const times = exponent < 0 ? made.inverse() : made;
        const repeated = Array.from({ length: Math.abs(exponent) }, () => times);
        expect(made.power(exponent).equals(repeated.reduce((all, one) => all.compose(one), nothing))).toBe(
          true,
        );
        const off = made.controlled().unitary();
        const inner = made.unitary();
        off.forEach((row, i) => {
          row.forEach(({ re, im }, k) => {
            const isOn = i % 2 === 1 && k % 2 === 1;
            const wanted = isOn ? inner[(i - 1) / 2]![(k - 1) / 2]! : { re: i === k ? 1 : 0, im: 0 };
            expect(Math.hypot(re - wanted.re, im - wanted.im)).toBeLessThan(1e-9);
          });
        });
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test("act on the qubits that they are moved to", () => {
    const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: numQubits });
    fc.assert(
      fc.property(callsOf(NAMES), orders, (calls, order) => {
        const moved = calls.map(([name, angle, qubits]): Call => [name, angle, qubits.map(k => order[k]!)]);
        expect(built(calls).on(order).data).toBe(built(moved).data);
        const within = program(numQubits, q => q.apply(built(calls), order));
        expect(within.data).toBe(built(moved).data);
      }),
      { numRuns: 60 },
    );
  });
});

describe("programs of the corpus", () => {
  const folder = new URL("../corpus/valid/", import.meta.url);
  const files = readdirSync(folder).map(file => [file, readFileSync(new URL(file, folder), "utf8")] as const);

  test.each(files)("%s gives the same after it became a value and text again", (_, data) => {
    const original = qasm.text(data);
    const places = [...Array(original.width).keys()];
    const back = original.on(places);
    expect(countsOf(back, "automatic", 3)).toEqual(countsOf(original, "automatic", 3));
  });
});

describe("programs as values", () => {
  const bell = program({ qubits: 2, bits: 2 }, q => q.h(0).cx(0, 1).measureAll());

  test("print as a person writes them", () => {
    expect(String(bell)).toBe(`${HEAD}qubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;\n`);
    expect(bell.gateCounts).toEqual({ h: 1, cx: 1, measure: 2 });
    expect([bell.depth, bell.width, bell.twoQubitGates]).toEqual([3, 2, 1]);
  });

  test("print equal operations on a whole register as one, and loops with letters that are free", () => {
    const text = `${HEAD}qubit[2] q;
qubit[2] r;
bit[2] c;
input float i;
h q;
cx q, r;
h q[1];
h q[0];
rx(0.5) r[0];
rx(0.25) r[1];
for int j in [0:1] {
  for int k in [0:1] {
    rx(i * j) q[k];
  }
}
for int j in [0:1] {
  x r[j];
}
reset r;
c = measure q;
`;
    const joined = qasm.text(text).compose(program(1, () => {}));
    expect(joined.data).toBe(text);
  });

  test("have control flow on measured bits", () => {
    const made = program({ qubits: 2, bits: 2 }, q =>
      q
        .x(0)
        .measure(0)
        .if(
          0,
          b => b.x(1),
          b => b.h(1),
        )
        .while({ bit: 1, is: 0 }, b => b.measure(1))
        .if({ value: 3 }, b => b.reset([0, 1]))
        .repeat(3, b => b.x(1))
        .measureAll(),
    );
    expect(made.data).toContain("if (c[0]) {\n  x q[1];\n} else {\n  h q[1];\n}\nwhile (!c[1]) {");
    expect(made.data).toContain("if (c == 3) {");
    expect(countsOf(made, "statevector")).toEqual({ "10": 200 });
    const moved = made.on([1, 0], [1, 0]);
    expect(countsOf(moved, "statevector")).toEqual({ "01": 200 });
  });

  test("take inputs, which are assigned one by one", () => {
    const turn = program({ qubits: 1, inputs: ["theta", "phi"] }, q =>
      q.ry("theta / 2", 0).rz("-phi + pi", 0),
    );
    expect(turn.data).toContain("input float theta;\n");
    const half = turn.assign({ theta: 1 });
    expect(half.data).not.toContain("input float theta");
    expect(half.data).toContain("input float phi;");
    const set = turn.assign({ theta: 1, phi: 0.25 });
    expect(set.equals(program(1, q => q.ry(0.5, 0).rz(Math.PI - 0.25, 0)))).toBe(true);
    expect(
      turn
        .inverse()
        .assign({ theta: 1, phi: 0.25 })
        .compose(set)
        .equals(program(1, () => {})),
    ).toBe(true);
    expect(() => turn.assign({ thta: 1 })).toThrow(/no input "thta".*Did you mean theta/);
  });

  test("declare inputs that no gate uses", () => {
    const idle = program({ qubits: 1, inputs: ["theta", "phi"] }, q => q.ry("phi", 0));
    expect(idle.data).toContain("input float theta;\n");
    expect(idle.inputs).toEqual(["theta", "phi"]);
    expect(idle.assign({ phi: "pi / 2" }).inputs).toEqual(["theta"]);
    expect(() => idle.assign({ phi: "2 * chi" })).toThrow("chi is not declared");
    expect(idle.assign({ theta: 1, phi: 0.5 }).equals(program(1, q => q.ry(0.5, 0)))).toBe(true);
  });

  test("leave the builder's function, and nothing changes them", () => {
    let leaked: ProgramBuilder | undefined;
    const made = program(1, q => {
      leaked = q.h(0);
    });
    expect(() => leaked!.h(0)).toThrow("h(0): the program is finished");
    expect(made.gateCounts).toEqual({ h: 1 });
    const late = async (q: ProgramBuilder) => {
      q.h(0);
      throw new Error("A late rejection is handled, or this file fails.");
    };
    expect(() => program(1, late)).toThrow("must not be async");
  });

  test("can be awaited, as no member makes them promises", async () => {
    expect(await bell).toBe(bell);
  });

  test("name a counterexample", () => {
    const [h0, h1] = [program(2, q => q.h(0)), program(2, q => q.h(1))];
    expect(h0.counterexample(h1)).toEqual({ input: ["00"], fidelity: expect.closeTo(0.25) });
    const [z, id] = [program(2, q => q.cz(0, 1)), program(2, () => {})];
    expect(z.equals(id)).toBe(false);
    expect(z.counterexample(id)).toEqual({ input: ["00", "11"], fidelity: expect.closeTo(0) });
    const [rz, p] = [program(1, q => q.rz(0.3, 0)), program(1, q => q.p(0.3, 0))];
    expect(rz.equals(p)).toBe(true);
    expect(rz.controlled().equals(p.controlled())).toBe(false);
    expect(() => h0.equals(rz)).toThrow("The programs have 2 and 1 qubits");
  });

  test("join programs of text, with loops, definitions and variables", () => {
    const text = qasm`
      OPENQASM 3.0;
      include "stdgates.inc";
      gate turn(a) t { rx(a / 2) t; }
      qubit[2] q;
      int n = 0;
      for int i in [0:1] { turn(0.5) q[i]; n += 1; }
    `;
    const joined = text.compose(text, [3, 1]).compose(bell);
    expect(joined.width).toBe(4);
    expect(joined.gateCounts).toEqual({ turn: 4, h: 1, cx: 1, measure: 2 });
    expect(bell.withoutMeasurements().gateCounts).toEqual({ h: 1, cx: 1 });
    expect(bell.compose(bell, [2, 3]).data).toContain("c[0] = measure q[2];");
  });

  test("keep loops that are inverted, repeated or controlled", () => {
    const text = qasm`
      include "stdgates.inc";
      input float theta;
      qubit[4] q;
      for int i in [0:2] { rx(i * theta) q[i]; cx q[i], q[i + 1]; }
      for int j in [0:2:3] for int k in [0:j] { t q[k]; }
      for int i in {0, 3, 1} ctrl @ U(0.1, i, pi / 4) q[i], q[2];
    `;
    const inverse = text.inverse();
    expect(inverse.data).toMatch(
      /for int (\w+) in \[2:-1:0\] \{\n {2}cx q\[\1\], q\[\1 \+ 1\];\n {2}rx\(-\(\1 \* theta\)\) q\[\1\];/,
    );
    expect(inverse.data).toMatch(/in \[2:-2:0\] \{\n {2}for int \w+ in \[\w+:-1:0\]/);
    expect(inverse.data).toContain("in {1, 3, 0}");
    expect(inverse.data).toContain("ctrl @ U(-0.1, -(pi / 4), ");
    const nothing = program(4, () => {});
    expect(text.compose(inverse).assign({ theta: 0.3 }).equals(nothing)).toBe(true);
    const twice = text.power(2);
    expect(twice.data.match(/\bfor\b/g)).toHaveLength(5);
    const set = text.assign({ theta: 0.3 });
    expect(twice.assign({ theta: 0.3 }).equals(set.compose(set))).toBe(true);
    expect(text.controlled().assign({ theta: 0.3 }).equals(set.controlled())).toBe(true);
    const loop = program(2, q => q.repeat(5, b => b.h(0).cx(0, 1).t(1)));
    expect(loop.inverse().data).toMatch(
      /in \[1:5\] \{\n {2}tdg q\[1\];\n {2}cx q\[0\], q\[1\];\n {2}h q\[0\];/,
    );
  });

  test("carry out loops whose variables change", () => {
    const text = qasm`
      include "stdgates.inc";
      qubit[3] q;
      int n = 0;
      for int i in [0:2] { n += i; rx(n * pi / 4) q[i]; }
      if (n == 3) h q[0];
    `;
    const nothing = program(3, () => {});
    expect(text.inverse().gateCounts).toEqual({ rx: 3, h: 1 });
    expect(text.compose(text.inverse()).equals(nothing)).toBe(true);
    expect(text.power(3).compose(text.power(-3)).equals(nothing)).toBe(true);
    expect(
      text
        .controlled()
        .compose(text.inverse().controlled())
        .equals(program(4, () => {})),
    ).toBe(true);
  });

  test("take fractional powers", () => {
    const root = program(2, q => q.swap(0, 1)).power(0.5);
    expect(root.power(2).equals(program(2, q => q.swap(0, 1)))).toBe(true);
    expect(program(1, q => q.p(0.1, 0)).power(1024).gateCounts).toEqual({ p: 1 });
    expect(program(1, q => q.h(0).t(0)).power(1001).gateCounts).toEqual({ h: 1001, t: 1001 });
  });

  test.each<[string, () => unknown, string]>([
    ["equal qubits", () => program(2, q => q.cx(1, 1)), "cx(1, 1): a gate acts on different qubits."],
    [
      "a qubit beyond",
      () => program(2, q => q.h(2)),
      "h(2): 2 is not a qubit. The program has qubits 0 to 1.",
    ],
    ["a forgotten qubit", () => program(2, q => (q.cx as (a: number) => unknown)(0)), "cx"],
    [
      "an angle that is not a number",
      () => program(1, q => q.rx(Number.NaN, 0)),
      "rx(NaN, 0): an angle is a finite",
    ],
    [
      "an angle with code",
      () => program(1, q => q.rx("0) q[0]; x q[0]; rx(1", 0)),
      'rx("0) q[0]; x q[0]; rx(1", 0):',
    ],
    [
      "an unknown input",
      () => program(1, q => q.rx("theta", 0)),
      'theta is not declared. An angle has numbers, pi and the inputs of the program: { inputs: ["theta"] }.',
    ],
    [
      "a power written as an exclusive or",
      () => program({ qubits: 1, inputs: ["a"] }, q => q.rx("a^2", 0)),
      'rx("a^2", 0): ^ does not take a float and an int. ^ is an exclusive or. Write a power as a ** b.',
    ],
    [
      "an input with a gate's syntax",
      () => program({ qubits: 1, inputs: ["a; x"] }, () => {}),
      "cannot be the name",
    ],
    [
      "lists for a gate on two qubits",
      () => program(4, q => (q.cx as (...lists: unknown[]) => unknown)([0, 2], [1, 3])),
      "cx([0,2], [1,3]): the gate acts on 2 qubits. Lists of qubits are for gates on one.",
    ],
    [
      "a condition without a value",
      () => program({ qubits: 1, bits: 1 }, q => q.if({ bit: 0 } as { bit: number; is: 1 }, b => b.x(0))),
      'if({"bit":0}): a condition is the number of a bit',
    ],
    [
      "a loop without operations",
      () => program(1, q => q.repeat(3, undefined as unknown as () => void)),
      "repeat(3): expected a function that adds operations",
    ],
    ["no bits", () => program(1, q => q.measure(0)), "measure(0): 0 is not a bit. The program has no bits"],
    ["too few bits", () => program({ qubits: 2, bits: 1 }, q => q.measureAll()), "2 qubits need 2 bits"],
    [
      "no qubits",
      () => program(0, () => {}),
      "program: qubits must be a whole number from 1 to 65536, not 0.",
    ],
    [
      "another name of an option",
      () => program({ qubits: 1, clbits: 1 } as { qubits: number }, () => {}),
      'Unknown option "clbits"',
    ],
    [
      "names that are no list",
      () => program({ qubits: 1, inputs: "a" as never }, () => {}),
      'inputs must be a list of strings, not "a".',
    ],
    [
      "a measurement of nothing",
      () => program({ qubits: 1, bits: 1 }, q => q.measure(undefined as never)),
      "measure(undefined): undefined is not a qubit",
    ],
    ["text as a qubit", () => program(2, q => q.x("0" as never)), 'x("0"): "0" is not a qubit'],
    [
      "a whole number as an angle",
      () => program(1, q => q.rx(1n as never, 0)),
      "an angle is a finite number",
    ],
    [
      "a condition on a bit named twice",
      () => program({ qubits: 1, bits: 2 }, q => q.if({ bits: [0, 0], value: 1 }, b => b.x(0))),
      "a condition is on different bits",
    ],
    [
      "a condition on bits that do not have the value",
      () => program({ qubits: 1, bits: 2 }, q => q.if({ bits: [0], value: 2 }, b => b.x(0))),
      "a condition is the number of a bit",
    ],
    [
      "an option that a circuit does not have",
      () => circuits.qft(2, { inverse: true } as never),
      'circuits.qft: Unknown option "inverse"',
    ],
    [
      "an eigenstate of other qubits",
      () =>
        circuits.phaseEstimation(
          program(1, q => q.t(0)),
          2,
          { prepare: program(2, q => q.x(0)) },
        ),
      "prepare has 2 qubits, and the program 1",
    ],
    ["a search for nothing", () => circuits.grover(2, []), "mark at least one state"],
    [
      "an edge between a qubit and itself",
      () => circuits.qaoa(2, [[1, 1]]),
      "a list of edges, pairs of different qubits",
    ],
    [
      "the inverse of a measurement",
      () => bell.inverse(),
      "inverse: This works for programs that consist of gates",
    ],
    ["a list of equal places", () => bell.on([1, 1]), "on: The qubits [1,1] must be different."],
    [
      "a wrong number of places",
      () => bell.compose(bell, [1]),
      "compose: The program needs a list of 2 qubits, not [1].",
    ],
    ["a matrix that is too large", () => program(11, q => q.h(0)).unitary(), "the limit is 10 qubits"],
    [
      "measured values in use",
      () => program({ qubits: 1, bits: 1 }, q => q.measure(0).if(0, b => b.x(0))).withoutMeasurements(),
      "uses measured values",
    ],
  ])("refuse %s where they are called", (_, make, message) => {
    expect(make).toThrow(message);
  });
});
