import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { locate } from "../interpreter/locations.ts";
import { type Operation, visitAll } from "./operation.ts";
import type { Target } from "./target.ts";

/** Throws a {@link SimulationError} where the qubits of a program have no place on a device, or not where a layout says. */
export function checkWidth(
  qubits: readonly number[],
  target: Target,
  initialLayout: readonly number[] | undefined,
): void {
  const numQubits = qubits.length;
  if (numQubits > target.numQubits)
    throw new SimulationError(
      `The program acts on ${numQubits} qubits; the device has ${target.numQubits}. Run it on a larger device, or on a simulator.`,
    );
  if (!initialLayout) return;
  if (initialLayout.length !== numQubits)
    throw new SimulationError(
      `The initial layout names ${initialLayout.length} physical qubits for the program's ${numQubits}; it needs one for each.`,
    );
  initialLayout.forEach((physical, i) => {
    if (!Number.isInteger(physical) || physical < 0 || physical >= target.numQubits)
      throw new SimulationError(
        `The initial layout puts qubit ${qubits[i]} on ${physical}; the device has the qubits 0 to ${target.numQubits - 1}.`,
      );
    if (initialLayout.indexOf(physical) !== i)
      throw new SimulationError(
        `The initial layout puts the qubits ${qubits[initialLayout.indexOf(physical)]} and ${qubits[i]} on the same physical qubit, ${physical}.`,
      );
  });
}

/** Throws a {@link SimulationError} where the two-qubit gates of a program of physical qubits are not on couplings. */
export function checkPhysical(operations: readonly Operation[], { parts }: Circuit, target: Target): void {
  visitAll(operations, operation => {
    const where = locate(parts, operation.at);
    const at = where ? `${where}: ` : "";
    const beyond =
      operation.kind === "statement" ? undefined : operation.qubits.find(qubit => qubit >= target.numQubits);
    if (beyond !== undefined)
      throw new SimulationError(
        `${at}The device has no qubit $${beyond}; its qubits are $0 to $${target.numQubits - 1}.`,
      );
    if (operation.kind !== "two-qubit") return;
    const [a, b] = operation.qubits;
    if (target.couplingOf(a, b)) return;
    const listed = (qubit: number) =>
      `$${qubit} is coupled to ${target.neighbours[qubit]!.map(next => `$${next}`).join(", ") || "none"}`;
    throw new SimulationError(
      `${at}${operation.name} $${a}, $${b}: the device does not couple these qubits. ${listed(a)}; ${listed(b)}. Declare qubits with \`qubit[n] q;\` to have them routed.`,
    );
  });
}
