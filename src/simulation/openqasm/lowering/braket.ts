import { errorAt } from "../diagnostics/diagnostic.ts";

/** Names in Braket's dialect of gates of the library. */
export const BRAKET_ALIASES: Readonly<Record<string, string>> = {
  i: "id",
  si: "sdg",
  ti: "tdg",
  v: "sx",
  vi: "sxdg",
  phaseshift: "p",
  cnot: "cx",
  cphaseshift: "cp",
  xx: "rxx",
  ccnot: "ccx",
};

/** Gates of Braket's dialect that are neither in the library nor native gates; `ecr` has another phase than the native one. */
export const BRAKET_GATES = `
include "stdgates.inc";
gate cv a, b { ctrl @ sx a, b; }
gate ecr a, b { cz a, b; rx(pi / 2) b; cz a, b; x a; }
gate xy(theta) a, b { cx a, b; crx(-theta) b, a; cx a, b; }
gate iswap a, b { xy(pi) a, b; }
gate pswap(theta) a, b { swap a, b; cx a, b; p(theta) b; cx a, b; }
gate cphaseshift00(theta) a, b { negctrl(2) @ gphase(theta) a, b; }
gate cphaseshift01(theta) a, b { negctrl @ p(theta) a, b; }
gate cphaseshift10(theta) a, b { negctrl @ p(theta) b, a; }
gate yy(theta) a, b { cx a, b; cz b, a; rx(-theta) a; cz b, a; cx a, b; }
`;

/** Hints for the pragmas of Braket that would change what a program does, by name. */
const INSTEAD: Readonly<Record<string, string>> = {
  noise:
    "Remove it and pass the noise with the run, as `options({ noiseModel: noise({ … }) })` on the device noisy or density.",
  unitary: "Define the unitary as `gate name a { … }` of U, gphase and ctrl @, and call that gate.",
  result:
    'Remove it. Counts are always returned; for means use the option observables, such as ["Z0"], and for the state an exact run (0 shots).',
  adjoint_gradient: "Remove it, and take differences of means between runs with shifted inputs.",
};

export function checkBraketPragma(node: {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}): void {
  const name = /^#?pragma\s+braket\s+(\w+)/.exec(node.text)?.[1];
  if (name !== undefined && Object.hasOwn(INSTEAD, name))
    throw errorAt(node, `Braket's pragma ${name} is not run here.`, INSTEAD[name]);
}
