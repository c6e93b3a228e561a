import fc from "fast-check";
import { HEAD } from "./run.ts";

const QUBITS = 5;

/** Clifford gates of one qubit. */
export const cliffordGate = fc.constantFrom(
  ...["h", "s", "sdg", "x", "y", "z", "sx", "inv @ sx", "id", "rx(pi/2)", "ry(-pi/2)", "rz(3*pi/2)", "p(pi)"],
  ...["U(pi/2, 0, pi)", "U(pi/2, pi/2, -pi/2)", "pow(0.5) @ x", "u2(0, pi)"],
);
/** Clifford gates of two qubits, and one that is none. */
export const cliffordPair = fc.constantFrom(
  ...[
    "cx",
    "cy",
    "cz",
    "swap",
    "cp(pi)",
    "crz(pi)",
    "crx(pi)",
    "cry(pi)",
    "negctrl @ x",
    "negctrl @ y",
    "ctrl @ s",
  ],
);
/** What is no Clifford gate among these. */
export const NOT_CLIFFORD = new Set(["ctrl @ s"]);
/** Gates of one qubit. */
export const anyGate = fc.constantFrom("h", "t", "rx(0.7)", "ry(1.3)", "sx", "p(0.4)", "x");
/** Gates of two qubits. */
export const anyPair = fc.constantFrom(
  "cx",
  "ch",
  "cp(0.9)",
  "crx(2)",
  "swap",
  "negctrl @ y",
  "cu(1, 2, 3, 0.4)",
);

interface Gates {
  single: fc.Arbitrary<string>;
  pair: fc.Arbitrary<string>;
}

/** Draws statements with measurements, resets and conditions among the gates. */
export const statements = ({ single, pair }: Gates) =>
  fc.array(
    fc
      .record({
        kind: fc.constantFrom("single", "single", "single", "pair", "pair", "pair", "measure", "reset", "if"),
        single,
        pair,
        places: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        bit: fc.nat({ max: QUBITS - 1 }),
      })
      .map(({ kind, single: one, pair: two, places: [a, b], bit }) => {
        if (kind === "single") return `${one} q[${a}];`;
        if (kind === "pair") return `${two} q[${a}], q[${b}];`;
        if (kind === "measure") return `m[${bit}] = measure q[${a}];`;
        if (kind === "reset") return `reset q[${a}];`;
        return `if (m[${bit}]) { ${one} q[${a}]; } else { ${two} q[${a}], q[${b}]; }`;
      }),
    { minLength: 5, maxLength: 30 },
  );

/** Returns a program of five qubits with a body of statements, which measures them all in the end. */
export const programOf = (body: readonly string[]) =>
  `${HEAD}qubit[${QUBITS}] q; bit[${QUBITS}] m; bit[${QUBITS}] c;\n${body.join("\n")}\nc = measure q;`;
