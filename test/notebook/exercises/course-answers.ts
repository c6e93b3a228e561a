import { furtherAnswers } from "./further-course-answers.ts";

/** The angle of lesson 23, from its Hamiltonian. */
export const exact = Math.atan2(-0.18093119978423156, 2 * 0.39793742484318045);

/** An answer to an exercise: the body of a program, or a number. */
export type Answer = string | number;
/** Answers that must pass, and answers that must not. */
export interface Answers {
  right: readonly Answer[];
  wrong: readonly Answer[];
}

const one = (gates: string) => `qubit q; bit c; ${gates} c = measure q;`;
const two = (gates: string) => `qubit[2] q; ${gates}`;
const three = (gates: string) => `qubit[3] q; ${gates}`;
const pairs = "h q[0]; cx q[0], q[1]; h q[2]; cx q[2], q[3];";
const bellBasis = "cx q[1], q[2]; h q[1]; m[0] = measure q[1]; m[1] = measure q[2];";
const four = (gates: string) => `qubit[4] q; bit[2] m; ${gates}`;
const fourier = "h q[1]; cp(pi / 2) q[0], q[1]; h q[0];";
const diffusion = "h q; x q; cz q[0], q[1]; x q; h q;";
const oracle = "x q[0]; cz q[0], q[1]; x q[0];";

/** Answers to the exercises of the course. */
export const answers: Record<string, Answers> = {
  ...furtherAnswers,
  quarter: {
    right: [
      ...[
        "ry(pi / 3) q;",
        "ry(-pi / 3) q;",
        "rx(pi / 3) q;",
        "x q; ry(2 * pi / 3) q;",
        "ry(pi / 6) q; ry(pi / 6) q;",
      ],
      ...["ry(1.0471976) q;", "U(pi / 3, 0.4, 1) q;", "h q; p(pi / 3) q; h q;", "ry(pi / 3) q; z q;"],
    ]
      .map(one)
      .concat("qubit[3] q; bit c; h q[0]; h q[1]; ccx q[0], q[1], q[2]; c = measure q[2];"),
    wrong: [
      ...[
        "",
        "h q;",
        "x q;",
        "ry(pi / 6) q;",
        "ry(2 * pi / 3) q;",
        "ry(pi / 4) q;",
        "ry(1) q;",
        "rz(pi / 3) q;",
      ],
    ]
      .map(one)
      .concat("qubit q; bit c; ry(pi / 3) q;", "qubit q; bit c; c = measure q; ry(pi / 3) q;", "hello"),
  },
  minus: {
    right: [
      ...[
        "x q; h q;",
        "h q; z q;",
        "h q; p(pi) q;",
        "ry(-pi / 2) q;",
        "h q; rz(pi) q;",
        "h q; s q; s q;",
        "h q; u1(pi) q;",
      ],
      ...["U(pi / 2, pi, 0) q;", "x q; h q; gphase(0.3);", "ry(pi / 2) q; z q;", "reset q; x q; h q;"],
    ].map(gates => `qubit q; ${gates}`),
    wrong: [
      ...[
        "",
        "h q;",
        "x q;",
        "ry(pi / 2) q;",
        "h q; s q;",
        "h q; x q;",
        "rx(pi / 2) q;",
        "h q; t q;",
        "ry(-1.5) q;",
      ],
      ...["x q; h q; bit c; c = measure q;"],
    ].map(gates => `qubit q; ${gates}`),
  },
  singlet: {
    right: [
      ...[
        "x q; h q[0]; cx q[0], q[1];",
        "x q; h q[1]; cx q[1], q[0];",
        "h q[0]; cx q[0], q[1]; z q[0]; x q[1];",
      ],
      ...["h q[0]; cx q[0], q[1]; x q[1]; z q[1];", "x q[1]; h q[0]; z q[0]; cx q[0], q[1];"],
      ...["x q; h q; cz q[0], q[1]; h q[1];", "ry(-pi / 2) q[0]; x q[1]; ctrl @ x q[0], q[1];"],
      ...["h q[0]; cx q[0], q[1]; y q[1];", "x q[0]; x q[1]; h q[0]; cx q[0], q[1]; gphase(pi);"],
      ...["gate pair a, b { h a; cx a, b; } x q; pair q[0], q[1];"],
    ].map(two),
    wrong: [
      ...[
        "",
        "h q[0]; cx q[0], q[1];",
        "x q[1]; h q[0]; cx q[0], q[1];",
        "x q[0]; h q[0]; cx q[0], q[1];",
        "x q[0];",
      ],
      ...[
        "x q; h q[0]; cx q[0], q[1]; cx q[1], q[0]; cx q[1], q[0];",
        "x q; h q[0];",
        "x q; h q; cz q[0], q[1];",
      ],
      ...["x q; h q[0]; cx q[0], q[1]; s q[0];", "x q; h q[0]; cx q[0], q[1]; bit[2] c; c = measure q;"],
    ].map(two),
  },
  "three-quarters": {
    right: [
      ...["h q; p(2 * pi / 3) q; h q;", "h q; p(-2 * pi / 3) q; h q;", "h q; p(pi / 3) q; p(pi / 3) q; h q;"],
      ...["h q; u1(2 * pi / 3) q; h q;", "h q; phase(2 * pi / 3) q; h q;", "h q; p(4 * pi / 3) q; h q;"],
      ...[
        "h q; p(2 * pi / 3) q; h q; p(1) q;",
        "p(1) q; h q; p(2.0943951) q; h q;",
        "h q; h q; h q; p(2 * pi / 3) q; h q;",
      ],
      ...["h q; p(2 * pi / 3 + 2 * pi) q; h q;"],
    ].map(one),
    wrong: [
      ...[
        "",
        "h q;",
        "h q; p(pi / 3) q; h q;",
        "ry(2 * pi / 3) q;",
        "h q; p(2 * pi / 3) q;",
        "p(2 * pi / 3) q; h q;",
      ],
      ...["h q; rz(2 * pi / 3) q; h q;", "h q; p(pi) q; h q;", "h q; p(2) q; h q;", "x q; ry(pi / 3) q;"],
    ].map(one),
  },
  oracle: {
    right: [
      ...["cx q[0], q[2]; cx q[1], q[2]; x q[2];", "x q[2]; cx q[1], q[2]; cx q[0], q[2];"],
      ...["x q[0]; cx q[0], q[2]; cx q[1], q[2]; x q[0];", "x q[1]; cx q[0], q[2]; cx q[1], q[2]; x q[1];"],
      ...["cx q[0], q[1]; cx q[1], q[2]; cx q[0], q[1]; x q[2];", "negctrl @ x q[0], q[2]; cx q[1], q[2];"],
      ...[
        "h q[2]; cz q[0], q[2]; cz q[1], q[2]; h q[2]; x q[2];",
        "for int i in [0:1] cx q[i], q[2]; x q[2];",
      ],
      ...["cx q[0], q[2]; cx q[1], q[2]; x q[2]; gphase(1);"],
    ]
      .map(three)
      .concat("qubit[4] q; cx q[0], q[2]; cx q[1], q[2]; x q[2];"),
    wrong: [
      ...[
        "",
        "cx q[0], q[2]; cx q[1], q[2];",
        "cx q[0], q[2]; x q[2];",
        "x q[2];",
        "ccx q[0], q[1], q[2]; x q[2];",
      ],
      ...["cx q[0], q[1]; cx q[1], q[2]; x q[2];", "cx q[0], q[2]; cx q[1], q[2]; z q[2];"],
      ...["cx q[0], q[2]; cx q[1], q[2]; x q[0];", "cx q[2], q[0]; cx q[2], q[1]; x q[2];"],
      ...["cx q[0], q[2]; cx q[1], q[2]; x q[2]; cz q[0], q[1];"],
    ].map(three),
  },
  "search-10": {
    right: [
      ...[
        `h q; ${oracle} ${diffusion}`,
        `h q; ${oracle} h q; z q; cz q[0], q[1]; h q;`,
        `h q[1]; h q[0]; ${oracle} ${diffusion}`,
      ],
      ...[
        `h q; x q[0]; h q[1]; cx q[0], q[1]; h q[1]; x q[0]; ${diffusion}`,
        `h q; negctrl @ z q[0], q[1]; ${diffusion}`,
      ],
      ...[`h q; cz q[0], q[1]; z q[1]; ${diffusion}`, `h q; ${oracle} ${diffusion} gphase(pi);`],
      ...[
        `h q; x q[0]; cp(pi) q[0], q[1]; x q[0]; ${diffusion}`,
        `h q; ${oracle} h q; x q; cp(-pi) q[1], q[0]; x q; h q;`,
      ],
      ...[
        `gate spread a, b { h a; h b; x a; x b; cz a, b; x a; x b; h a; h b; } h q; ${oracle} spread q[0], q[1];`,
      ],
    ].map(two),
    wrong: [
      ...[
        "",
        "h q;",
        "x q[1];",
        `h q; cz q[0], q[1]; ${diffusion}`,
        `h q; x q[1]; cz q[0], q[1]; x q[1]; ${diffusion}`,
      ],
      ...[
        `h q; ${oracle}`,
        `h q; ${diffusion}`,
        `${oracle} ${diffusion}`,
        `h q; ${oracle} h q; cz q[0], q[1]; h q;`,
      ],
      ...[
        `h q; ${oracle} ${diffusion} ${oracle} ${diffusion}`,
        `h q; ${oracle} ${diffusion} cz q[0], q[1]; cz q[0], q[1];`,
      ],
    ].map(two),
  },
  "qft-2": {
    right: [
      ...[`${fourier} swap q[0], q[1];`, "swap q[0], q[1]; h q[0]; cp(pi / 2) q[0], q[1]; h q[1];"],
      ...[
        `${fourier} cx q[0], q[1]; cx q[1], q[0]; cx q[0], q[1];`,
        "h q[1]; ctrl @ s q[0], q[1]; h q[0]; swap q[0], q[1];",
      ],
      ...[
        "h q[1]; cp(pi / 2) q[1], q[0]; h q[0]; swap q[1], q[0];",
        "h q[1]; cphase(pi / 2) q[1], q[0]; h q[0]; swap q[1], q[0];",
      ],
      ...[
        "h q[1]; p(pi / 4) q[0]; cx q[0], q[1]; p(-pi / 4) q[1]; cx q[0], q[1]; p(pi / 4) q[1]; h q[0]; swap q[0], q[1];",
      ],
      ...["h q[1]; cp(pi / 4) q[0], q[1]; cp(pi / 4) q[0], q[1]; h q[0]; swap q[0], q[1];"],
      ...[
        `${fourier} swap q[0], q[1]; gphase(0.7);`,
        "h q[1]; cphase(pi / 2) q[0], q[1]; h q[0]; swap q[0], q[1];",
      ],
    ].map(two),
    wrong: [
      ...[
        "",
        "h q;",
        fourier,
        "h q[1]; cp(-pi / 2) q[0], q[1]; h q[0]; swap q[0], q[1];",
        "swap q[0], q[1];",
      ],
      ...[
        "h q[1]; cp(pi / 4) q[0], q[1]; h q[0]; swap q[0], q[1];",
        "h q; cp(pi / 2) q[0], q[1]; swap q[0], q[1];",
      ],
      ...[
        "h q[1]; cz q[0], q[1]; h q[0]; swap q[0], q[1];",
        "h q[0]; cp(pi / 2) q[0], q[1]; h q[1];",
        "h q; swap q[0], q[1];",
      ],
    ].map(two),
  },
  "swap-entanglement": {
    right: [
      ...[
        `${pairs} ${bellBasis} if (m[1]) x q[3]; if (m[0]) z q[3];`,
        `${pairs} ${bellBasis} if (m[0]) z q[3]; if (m[1]) x q[3];`,
      ],
      ...[
        `${pairs} ${bellBasis} if (m[1]) x q[0]; if (m[0]) z q[0];`,
        `${pairs} ${bellBasis} if (m[1]) x q[0]; if (m[0]) z q[3];`,
      ],
      ...[`h q[1]; cx q[1], q[0]; h q[3]; cx q[3], q[2]; ${bellBasis} if (m[1]) x q[3]; if (m[0]) z q[3];`],
      ...[
        `${pairs} cx q[2], q[1]; h q[2]; m[0] = measure q[2]; m[1] = measure q[1]; if (m[1]) x q[3]; if (m[0]) z q[3];`,
      ],
      ...[`${pairs} ${bellBasis} if (m == 2) x q[3]; if (m == 1) z q[3]; if (m == 3) { x q[3]; z q[3]; }`],
      ...[
        `${pairs} h q[2]; cz q[1], q[2]; h q[2]; h q[1]; m[0] = measure q[1]; m[1] = measure q[2]; if (m[1]) x q[3]; if (m[0]) z q[3];`,
      ],
      ...[
        `h q[2]; cx q[2], q[3]; h q[0]; cx q[0], q[1]; ${bellBasis} if (m[1]) { x q[3]; } if (m[0]) { z q[3]; }`,
      ],
      ...[
        `gate pair a, b { h a; cx a, b; } pair q[0], q[1]; pair q[2], q[3]; ${bellBasis} if (m[1]) x q[3]; if (m[0]) z q[3];`,
      ],
    ].map(four),
    wrong: [
      ...[
        "",
        "h q[0]; cx q[0], q[3];",
        "h q[0]; cx q[0], q[3]; m[0] = measure q[1]; m[1] = measure q[2];",
        pairs,
      ],
      ...[
        `${pairs} ${bellBasis}`,
        `${pairs} ${bellBasis} if (m[1]) x q[3];`,
        `${pairs} ${bellBasis} if (m[0]) z q[3];`,
      ],
      ...[`${pairs} ${bellBasis} if (m[0]) x q[3]; if (m[1]) z q[3];`],
      // Moved along a chain of gates, and handed out by the two in the middle: nothing is swapped by a measurement.
      ...[
        "h q[0]; cx q[0], q[1]; swap q[1], q[2]; swap q[2], q[3]; m[0] = measure q[1]; m[1] = measure q[2];",
      ],
      ...[
        "h q[1]; cx q[1], q[2]; swap q[0], q[1]; swap q[2], q[3]; m[0] = measure q[1]; m[1] = measure q[2];",
      ],
      ...[
        "h q[1]; cx q[1], q[0]; cx q[1], q[3]; h q[1]; m[0] = measure q[1]; m[1] = measure q[2]; if (m[0]) z q[0];",
      ],
      ...[`${pairs} cx q[1], q[2]; h q[1]; cx q[2], q[3]; cz q[1], q[3];`],
      ...[`${pairs} m[0] = measure q[1]; m[1] = measure q[2]; if (m[1]) x q[3]; if (m[0]) z q[3];`],
    ].map(four),
  },
  survival: {
    right: [0.9950124791926823, 0.995, 0.99501, 0.9950125, Math.exp(-0.3 / 120) ** 2, Math.exp(-0.005)],
    wrong: [0, 1, 0.9975, Math.exp(-0.3 / 120), 0.99, 99.5, 0.005, Math.exp(-0.6), 0.9925, Number.NaN],
  },
  estimate: {
    right: [0.8421, 0.842, 0.84, 0.992 ** 12 * 0.985 ** 5, 0.845],
    wrong: [
      0,
      1,
      84.2,
      1 - 12 * 0.008 - 5 * 0.015,
      0.992 ** 12,
      0.985 ** 5,
      0.992 * 0.985,
      0.16,
      0.9,
      0.992 ** 5 * 0.985 ** 12,
    ],
  },
  relabel: {
    right: [
      ...[
        "ry(0.4) q[0]; ry(1.2) q[1]; c[0] = measure q[1]; c[1] = measure q[0];",
        "ry(1.2) q[0]; ry(0.4) q[1]; c = measure q;",
      ],
      ...[
        "ry(1.2) q[1]; ry(0.4) q[0]; c[1] = measure q[0]; c[0] = measure q[1];",
        "rx(1.2) q[0]; rx(0.4) q[1]; c = measure q;",
      ],
      ...["ry(0.2) q[0]; ry(0.2) q[0]; ry(1.2) q[1]; c[0] = measure q[1]; c[1] = measure q[0];"],
      ...["ry(-0.4) q[0]; ry(1.2) q[1]; c[0] = measure q[1]; c[1] = measure q[0];"],
      ...["ry(1.2) q[0]; c[0] = measure q[0]; ry(0.4) q[1]; c[1] = measure q[1];"],
      ...[
        "U(1.2, 0, 0) q[0]; U(0.4, 0, 0) q[1]; c = measure q;",
        "ry(1.2) q[0]; ry(0.4) q[1]; z q; c = measure q;",
      ],
      ...["ry(1.2) q[0]; c[0] = measure q[0]; reset q[0]; ry(0.4) q[0]; c[1] = measure q[0];"],
    ].map(gates => `qubit[2] q; bit[2] c; ${gates}`),
    wrong: [
      ...[
        "c = measure q;",
        "ry(0.4) q[0]; ry(1.2) q[1]; c = measure q;",
        "ry(0.4) q[0]; ry(1.2) q[1]; swap q[0], q[1]; c = measure q;",
      ],
      ...[
        "ry(0.4) q; c = measure q;",
        "ry(1.2) q; c = measure q;",
        "ry(1.2) q[0]; ry(0.4) q[1];",
        "h q; c = measure q;",
      ],
      ...[
        "ry(1.2) q[0]; ry(0.4) q[1]; c[0] = measure q[0];",
        "ry(1.2) q[0]; ry(0.4) q[1]; c[0] = measure q[1]; c[1] = measure q[0];",
      ],
      ...[
        "ry(0.4) q[0]; ry(1.2) q[1]; cx q[0], q[1]; cx q[0], q[1]; c[0] = measure q[1]; c[1] = measure q[0];",
      ],
    ].map(gates => `qubit[2] q; bit[2] c; ${gates}`),
  },
  readout: {
    right: [0.6628, 0.663, 0.66, 0.57 / 0.86, 0.6627907],
    wrong: [0.61, 0, 1, 0.57, 0.57 / 0.9, 0.61 / 0.9, 0.61 / 0.86, 66.3, 0.65, 0.51 / 0.86],
  },
  "ground-state": {
    right: [
      ...[
        `x q[0]; ry(${exact}) q[1]; cx q[1], q[0];`,
        `ry(${exact}) q[1]; x q[0]; cx q[1], q[0];`,
        `ry(${exact}) q[1]; cx q[1], q[0]; x q[0];`,
      ],
      ...[
        `ry(${exact / 2}) q[1]; ry(${exact / 2}) q[1]; x q[0]; cx q[1], q[0];`,
        `x q[0]; ry(-0.2235) q[1]; cx q[1], q[0];`,
      ],
      ...[`x q[0]; ry(-0.2238) q[1]; cx q[1], q[0];`, `ry(${exact}) q[1]; negctrl @ x q[1], q[0];`],
      ...[
        `x q[0]; ry(${exact}) q[1]; h q[0]; cz q[0], q[1]; h q[0];`,
        `x q[0]; ry(${exact}) q[1]; cx q[1], q[0]; gphase(1);`,
      ],
      ...[`x q[0]; ry(${-exact}) q[1]; cx q[1], q[0]; z q[0];`],
    ].map(two),
    wrong: [
      ...[
        "",
        "x q[0];",
        `x q[0]; ry(${-exact}) q[1]; cx q[1], q[0];`,
        `x q[0]; ry(${exact}) q[1];`,
        `ry(${exact}) q[1]; cx q[1], q[0];`,
      ],
      ...[
        `x q[1]; ry(${exact}) q[0]; cx q[0], q[1];`,
        `x q[0]; ry(${2 * exact}) q[1]; cx q[1], q[0];`,
        "x q[0]; ry(-0.2) q[1]; cx q[1], q[0];",
      ],
      ...[
        `x q[0]; ry(${exact}) q[1]; cx q[1], q[0]; cx q[0], q[1]; cx q[0], q[1];`,
        `x q[0]; ry(${exact}) q[1]; cx q[1], q[0]; s q[1];`,
      ],
    ].map(two),
  },
  distance: { right: [3, Math.floor(3.5)], wrong: [0, 1, 2, 4, 3.5, 7, 6, -3, 3.0001, Number.NaN] },
  encode: {
    right: [
      ...[
        "cx q[0], q[1]; cx q[0], q[2];",
        "cx q[0], q[2]; cx q[0], q[1];",
        "for int i in [1:2] cx q[0], q[i];",
      ],
      ...["h q[1]; cz q[0], q[1]; h q[1]; cx q[0], q[2];", "ctrl @ x q[0], q[1]; ctrl @ x q[0], q[2];"],
      ...["cx q[1], q[2]; cx q[0], q[1]; cx q[1], q[2];", "cx q[0], q[1]; cx q[0], q[2]; gphase(2);"],
      ...[
        "gate copy a, b, c { cx a, b; cx a, c; } copy q[0], q[1], q[2];",
        "cx q[0], q[1]; cx q[0], q[2]; x q[1]; x q[1];",
      ],
      ...["cx q[0], q[2]; cx q[0], q[1]; z q[0]; z q[0];"],
    ].map(three),
    wrong: [
      ...[
        "",
        "cx q[0], q[1];",
        "cx q[0], q[2];",
        "cx q[0], q[1]; cx q[1], q[2];",
        "cx q[1], q[0]; cx q[2], q[0];",
        "h q[0]; cx q[0], q[1]; cx q[0], q[2];",
      ],
      ...[
        "cx q[0], q[1]; cx q[0], q[2]; z q[0];",
        "cx q[0], q[1]; cx q[0], q[2]; cz q[1], q[2];",
        "ccx q[0], q[1], q[2];",
      ],
      ...["reset q[1]; reset q[2]; cx q[0], q[1]; cx q[0], q[2];"],
    ].map(three),
  },
};
