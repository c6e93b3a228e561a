import type { Gate } from "../circuit/gate.ts";
import { NATIVE } from "../circuit/native.ts";
import { STDGATES } from "../circuit/standard.ts";

/** The one-qubit gates of a device: rotations about Z and √X, equatorial rotations, or ionic π and π/2 pulses. */
export type OneQubitBasis = "zsx" | "prx" | "gpi";

/** The native two-qubit gate of a device. Of `zz`, `rzz` and `ms` the angle is free. */
export type TwoQubitBasis = "cx" | "cz" | "ecr" | "zz" | "rzz" | "ms";

/** The native gates of a device. */
export interface Basis {
  readonly oneQubit: OneQubitBasis;
  readonly twoQubit: TwoQubitBasis;
}

const RZZ = "rzz";

/** Returns a gate by the name that a device has for it. */
export function nativeGate(name: string): Gate {
  const gate = [...STDGATES, ...NATIVE].find(one => one.name === (name === RZZ ? "zz" : name));
  if (!gate) throw new TypeError(`There is no native gate ${name}.`);
  return gate;
}

/** Names of the gates that each kind of one-qubit basis is made of. */
export const ONE_QUBIT_GATES: Readonly<Record<OneQubitBasis, readonly string[]>> = {
  zsx: ["rz", "sx", "x", "id"],
  prx: ["prx"],
  gpi: ["gpi", "gpi2"],
};
