import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { circuits, type ProgramBuilder, program, type QasmProgram, qasm, State } from "../../src/index.ts";
import { compile, type MethodName, simulate } from "../../src/simulation/index.ts";

type Method = MethodName | "automatic";
const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const METHODS = [
  "statevector",
  "sparse",
  "stabilizer",
  "extended stabilizer",
  "matrix product state",
] as const;

const countsOf = ({ format, data }: QasmProgram, method: Method, seed = 7) =>
  simulate(compile({ format: format as "qasm3", data }), { method, shots: 200, seed, threads: 1 })
    .measurementCounts;

/** Returns the state that a program of gates prepares. */
const stateOf = (made: QasmProgram) =>
  State.from(Float64Array.from(made.unitary().flatMap(row => [row[0]!.re, row[0]!.im])));

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

  test("leave the builder's function, and nothing changes them", () => {
    let leaked: ProgramBuilder | undefined;
    const made = program(1, q => {
      leaked = q.h(0);
    });
    expect(() => leaked!.h(0)).toThrow("h(0): the program is finished");
    expect(made.gateCounts).toEqual({ h: 1 });
    expect(() => program(1, async q => q.h(0))).toThrow("must not be async");
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
      "an input with a gate's syntax",
      () => program({ qubits: 1, inputs: ["a; x"] }, () => {}),
      "cannot be the name",
    ],
    ["no bits", () => program(1, q => q.measure(0)), "measure(0): 0 is not a bit. The program has no bits"],
    ["too few bits", () => program({ qubits: 2, bits: 1 }, q => q.measureAll()), "2 qubits need 2 bits"],
    ["no qubits", () => program(0, () => {}), "the number of qubits must be a whole number from 1"],
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

describe("circuits", () => {
  const probabilities = (made: QasmProgram) => stateOf(made).amplitudes;
  const probabilityOf = (made: QasmProgram, bits: string) => stateOf(made).probability(bits);

  test("qft is the discrete Fourier transform", () => {
    const n = 4;
    const size = 2 ** n;
    circuits
      .qft(n)
      .unitary()
      .forEach((row, y) => {
        row.forEach(({ re, im }, x) => {
          const angle = (2 * Math.PI * x * y) / size;
          expect(re).toBeCloseTo(Math.cos(angle) / Math.sqrt(size), 9);
          expect(im).toBeCloseTo(Math.sin(angle) / Math.sqrt(size), 9);
        });
      });
  });

  test("ghz and wState prepare their states", () => {
    expect(probabilityOf(circuits.ghz(4), "1111")).toBeCloseTo(0.5);
    for (const one of ["0001", "0010", "0100", "1000"])
      expect(probabilityOf(circuits.wState(4), one)).toBeCloseTo(0.25);
    expect(probabilities(circuits.ghz(1))[0]).toBeCloseTo(Math.SQRT1_2);
  });

  test("grover finds what is marked", () => {
    expect(probabilityOf(circuits.grover(2, "10"), "10")).toBeCloseTo(1);
    expect(probabilityOf(circuits.grover(5, 19), "10011")).toBeGreaterThan(0.99);
    const several = circuits.grover(4, [3, "1000"]);
    expect(probabilityOf(several, "0011") + probabilityOf(several, "1000")).toBeGreaterThan(0.94);
    expect(() => circuits.grover(3, "10")).toThrow('"10" is not a state of 3 qubits');
  });

  test("phaseEstimation reads exact phases", () => {
    for (const phase of [1, 3, 6]) {
      const unitary = program(1, q => q.p((2 * Math.PI * phase) / 8, 0));
      const made = circuits.phaseEstimation(unitary, 3, { prepare: program(1, q => q.x(0)) });
      expect(probabilityOf(made, `1${phase.toString(2).padStart(3, "0")}`)).toBeCloseTo(1);
    }
  });

  test("adder adds all numbers of two bits", () => {
    for (let a = 0; a < 4; a++)
      for (let b = 0; b < 4; b++) {
        const set = program(6, q => {
          for (const k of [0, 1]) {
            if ((a >> k) & 1) q.x(1 + k);
            if ((b >> k) & 1) q.x(3 + k);
          }
        });
        const wanted = ((a + b) << 3) + (a << 1);
        expect(
          probabilityOf(set.compose(circuits.adder(2)), wanted.toString(2).padStart(6, "0")),
        ).toBeCloseTo(1);
      }
  });

  test("trotter is exact for terms that commute, and converges for others", () => {
    const zz = circuits.trotter("0.7*ZZ + 0.2*ZI", 0.9);
    expect(zz.equals(program(2, q => q.rzz(2 * 0.7 * 0.9, 0, 1).rz(2 * 0.2 * 0.9, 1)))).toBe(true);
    expect(circuits.trotter("Y1", 0.4).equals(program(2, q => q.ry(0.8, 1)))).toBe(true);
    const error = (steps: number, order: 1 | 2) => {
      const made = circuits.trotter("X0 + Z0", 1, { steps, order });
      return (
        1 - (made.counterexample(circuits.trotter("X0 + Z0", 1, { steps: 300, order: 2 }))?.fidelity ?? 1)
      );
    };
    expect(error(10, 2)).toBeLessThan(error(10, 1));
    expect(error(20, 1)).toBeLessThan(error(10, 1));
  });

  test("qaoa has inputs, or angles", () => {
    const edges = [
      [0, 1],
      [1, 2],
    ] as const;
    const open = circuits.qaoa(3, edges, 1);
    const set = circuits.qaoa(3, edges, [{ gamma: 0.4, beta: 0.3 }]);
    expect(open.assign({ gamma0: 0.4, beta0: 0.3 }).equals(set)).toBe(true);
    expect(set.gateCounts).toEqual({ h: 3, rzz: 2, rx: 3 });
  });

  test("random is the same for a seed", () => {
    expect(circuits.random(4, 5, { seed: 3 }).data).toBe(circuits.random(4, 5, { seed: 3 }).data);
    expect(circuits.random(4, 5, { seed: 3 }).data).not.toBe(circuits.random(4, 5, { seed: 4 }).data);
    expect(circuits.random(4, 5).gateCounts).toEqual({ U: 20, cz: 8 });
  });

  test("statePreparation prepares any state", () => {
    const amplitude = fc.tuple(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
    );
    const states = fc
      .integer({ min: 1, max: 4 })
      .chain(n => fc.array(amplitude, { minLength: 2 ** n, maxLength: 2 ** n }))
      .map(list => list.flat())
      .filter(parts => Math.hypot(...parts) > 0.1)
      .map(parts => Float64Array.from(parts, part => part / Math.hypot(...parts)));
    fc.assert(
      fc.property(states, wanted => {
        const got = probabilities(circuits.statePreparation(wanted));
        let [re, im] = [0, 0];
        for (let i = 0; i < wanted.length; i += 2) {
          re += wanted[i]! * got[i]! + wanted[i + 1]! * got[i + 1]!;
          im += wanted[i]! * got[i + 1]! - wanted[i + 1]! * got[i]!;
        }
        expect(Math.hypot(re, im)).toBeCloseTo(1, 7);
      }),
      { numRuns: 60 },
    );
  });
});

describe("twenty circuits of textbooks", () => {
  const q0 = (n: number) => program(n, () => {});
  const outcome = (made: QasmProgram) => Object.keys(countsOf(made, "automatic"));
  const xor = program(2, q => q.cx(0, 1));
  const deutsch = (oracle: QasmProgram) =>
    program({ qubits: 2, bits: 1 }, q => q.x(1).h([0, 1]).apply(oracle).h(0).measure(0));
  const bernsteinVazirani = (secret: string) =>
    program({ qubits: secret.length + 1, bits: secret.length }, q => {
      const last = secret.length;
      const inputs = q.qubits.slice(0, last);
      q.x(last).h(q.qubits);
      for (const k of inputs) if (secret.at(-1 - k) === "1") q.cx(k, last);
      q.h(inputs).measure(inputs);
    });
  const teleport = program({ qubits: 3, bits: 3 }, q =>
    q
      .ry(Math.PI, 0)
      .h(1)
      .cx(1, 2)
      .cx(0, 1)
      .h(0)
      .measure([0, 1])
      .if(1, b => b.x(2))
      .if(0, b => b.z(2))
      .measure(2),
  );
  const bitFlipCode = (error: number) =>
    program({ qubits: 5, bits: 3 }, q =>
      q
        .x(0)
        .cx(0, 1)
        .cx(0, 2)
        .x(error)
        .cx(0, 3)
        .cx(1, 3)
        .cx(1, 4)
        .cx(2, 4)
        .measure([3, 4], [0, 1])
        .if({ value: 1 }, b => b.x(0))
        .if({ value: 3 }, b => b.x(1))
        .if({ value: 2 }, b => b.x(2))
        .measure(0, 2),
    );

  test.each<[string, () => unknown, unknown]>([
    ["a coin", () => program(1, q => q.h(0).measureAll()).gateCounts, { h: 1, measure: 1 }],
    ["X from HZH", () => program(1, q => q.h(0).z(0).h(0)).equals(program(1, q => q.x(0))), true],
    ["S from two T", () => program(1, q => q.t(0).t(0)).equals(program(1, q => q.s(0))), true],
    [
      "swap from three CNOTs",
      () =>
        xor
          .compose(xor, [1, 0])
          .compose(xor)
          .equals(program(2, q => q.swap(0, 1))),
      true,
    ],
    ["CZ from CNOT", () => program(2, q => q.h(1).cx(0, 1).h(1)).equals(program(2, q => q.cz(0, 1))), true],
    ["CNOT turned round", () => program(2, q => q.h([0, 1]).cx(0, 1).h([0, 1])).equals(xor.on([1, 0])), true],
    [
      "Toffoli from two-qubit gates",
      () =>
        program(3, q => {
          q.h(2).cx(1, 2).tdg(2).cx(0, 2).t(2).cx(1, 2).tdg(2).cx(0, 2).t([1, 2]).h(2);
          q.cx(0, 1).t(0).tdg(1).cx(0, 1);
        }).equals(program(3, q => q.ccx(0, 1, 2))),
      true,
    ],
    [
      "Fredkin from Toffoli",
      () => program(3, q => q.cx(2, 1).ccx(0, 1, 2).cx(2, 1)).equals(program(3, q => q.cswap(0, 1, 2))),
      true,
    ],
    [
      "a controlled phase from CNOTs",
      () =>
        program(2, q => q.p(0.2, 0).cx(0, 1).p(-0.2, 1).cx(0, 1).p(0.2, 1)).equals(
          program(2, q => q.cp(0.4, 0, 1)),
        ),
      true,
    ],
    ["a Bell state", () => outcome(program(2, q => q.h(0).cx(0, 1).measureAll())).sort(), ["00", "11"]],
    [
      "superdense coding",
      () => outcome(program(2, q => q.h(0).cx(0, 1).z(0).x(0).cx(0, 1).h(0).measureAll())),
      ["11"],
    ],
    ["Deutsch of a constant", () => outcome(deutsch(q0(2))), ["0"]],
    ["Deutsch of a balanced function", () => outcome(deutsch(xor)), ["1"]],
    [
      "Deutsch–Jozsa",
      () =>
        outcome(
          program({ qubits: 4, bits: 3 }, q =>
            q.x(3).h(q.qubits).cx(0, 3).cx(1, 3).cx(2, 3).h([0, 1, 2]).measure([0, 1, 2]),
          ),
        ),
      ["111"],
    ],
    ["Bernstein–Vazirani", () => outcome(bernsteinVazirani("10110")), ["10110"]],
    [
      "teleportation of 1",
      () =>
        outcome(teleport)
          .map(bits => bits[0])
          .filter((bit, i, all) => all.indexOf(bit) === i),
      ["1"],
    ],
    ["entanglement swapping", () => program(4, q => q.h([0, 2]).cx(0, 1).cx(2, 3).cx(1, 2).h(1)).depth, 4],
    [
      "the bit-flip code",
      () => [0, 1, 2].flatMap(error => outcome(bitFlipCode(error)).map(bits => bits[0])),
      ["1", "1", "1"],
    ],
    [
      "repeat until success",
      () =>
        outcome(
          program({ qubits: 1, bits: 1 }, q =>
            q
              .h(0)
              .measure(0)
              .while({ bit: 0, is: 0 }, b => b.h(0).measure(0)),
          ),
        ),
      ["1"],
    ],
    [
      "the quantum Fourier transform and back",
      () => circuits.qft(3).compose(circuits.qft(3).inverse()).equals(q0(3)),
      true,
    ],
    [
      "modular multiplication by 7 of 15, four times",
      () =>
        program(4, q => q.swap(2, 3).swap(1, 2).swap(0, 1).x([0, 1, 2, 3]))
          .power(4)
          .equals(q0(4)),
      true,
    ],
  ])("%s", (_, made, wanted) => {
    expect(made()).toEqual(wanted);
  });
});
