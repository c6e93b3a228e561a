import { eulerAngles, type Primitive } from "../../circuit/primitives.ts";
import { STDGATES } from "../../circuit/standard.ts";
import { printFloat } from "./expression-printer.ts";

/** Writes a gate of one step by its name where the library has it, and else by its matrix. */
export function primitiveLines({ gate, params, qubits }: Primitive, names: readonly string[]): string[] {
  const on = qubits.map(qubit => names[qubit]!);
  if (STDGATES.includes(gate)) return [`${gate.name}${listOf(params)} ${on.join(", ")};`];
  const controls = modifiersOf(gate.controls);
  const phase = (angle: number) => {
    if (Math.abs(Math.sin(angle / 2)) < 1e-15) return [];
    return [
      `${controls}gphase${listOf([angle])}${on.length > 0 ? ` ${on.slice(0, gate.controls.length).join(", ")}` : ""};`,
    ];
  };
  if (gate.kind === "phase") return phase(gate.scale * params[0]!);
  if (gate.kind === "swap") return [`${controls}swap ${on.join(", ")};`];
  const { theta, phi, lambda, gamma } = eulerAngles(gate.matrix(params, 0));
  return [`${controls}U${listOf([theta, phi, lambda])} ${on.join(", ")};`, ...phase(gamma - theta / 2)];
}

function modifiersOf(controls: readonly boolean[]): string {
  return controls.map(polarity => (polarity ? "ctrl @ " : "negctrl @ ")).join("");
}

/** Returns numbers as the arguments of a call. */
export const listOf = (params: readonly number[]): string =>
  params.length > 0 ? `(${params.map(printFloat).join(", ")})` : "";
