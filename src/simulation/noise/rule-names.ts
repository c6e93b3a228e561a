import type { ElementaryGate } from "../circuit/gate.ts";
import { NATIVE, QASM2_BUILT_IN, QELIB1, STDGATES, U3 } from "../circuit/standard.ts";
import { DELAY } from "../circuit/timing-markers.ts";
import { didYouMean } from "../openqasm/diagnostics/nearest-name.ts";
import { NOISY_OPERATIONS } from "./operation-markers.ts";

/** Names of the same gate; in a rule each of them stands for all. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ CX: "cx", cnot: "cx", CNOT: "cx", toffoli: "ccx", ccnot: "ccx", fredkin: "cswap" }),
  ...Object.entries({ phase: "p", u1: "p", cphase: "cp", cu1: "cp", i: "id", hadamard: "h", not: "x" }),
  [DELAY.name, "delay"],
]);
const LIBRARY = [...STDGATES, ...QELIB1, ...NATIVE, ...QASM2_BUILT_IN, U3];
const GATES: ReadonlySet<string> = new Set(
  LIBRARY.flatMap(({ kind, name }) => (kind === "composite" ? [] : [name])),
);

/** Returns the name under which rules look for a gate. */
export const ruleName = (name: string): string => ALIASES.get(name) ?? name;

/** Returns the names by which rules find a gate: its own, and that of the controlled gate that it is. */
export function namesOf({ name, symbol, controls }: ElementaryGate): string[] {
  const isControlled = controls.length > 0 && controls.every(Boolean);
  return [
    ruleName(name),
    ...(isControlled ? [ruleName("c".repeat(controls.length) + ruleName(symbol))] : []),
  ];
}

/** Returns the error in the name of a gate in a rule; nothing if noise can act there. */
export function ruleNameProblem(name: string): string | undefined {
  if (GATES.has(ruleName(name)) || NOISY_OPERATIONS.has(name) || name.includes(" @ ")) return undefined;
  if (name === "barrier") return "must not be barrier, which takes no time: give noise to delay or idle";
  const composite = LIBRARY.find(gate => gate.name === name);
  const steps = composite?.kind === "composite" ? composite.steps.map(({ gate }) => gate.name) : [];
  if (steps.length > 0)
    return `must not be ${name}, which has the noise of its parts: name ${[...new Set(steps)].join(", ")}`;
  const hint = didYouMean(name, [...GATES, ...NOISY_OPERATIONS]);
  return `must be a gate such as cx, or one of ${[...NOISY_OPERATIONS].join(", ")}, not ${JSON.stringify(name)}. ${hint ? `${hint} ` : ""}A gate that a program defines has the noise of its parts`;
}
