import type { Circuit } from "../circuit/circuit.ts";
import type { GateCall } from "../circuit/transform.ts";
import { SimulationError } from "../errors.ts";
import { whereOf } from "../interpreter/run.ts";
import { distanceUpToPhase } from "../linear-algebra/matrix.ts";
import { visitSteps } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";
import { gateOperations } from "./gate-operations.ts";
import { type Operation, visitAll } from "./operation.ts";
import { nativeGate, ONE_QUBIT_GATES, type Target } from "./target.ts";

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
    const at = whereOf(parts, operation.at);
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

/** Maximum distance between the unitary of a custom native gate and the device's. */
const TOLERANCE = 1e-9;

/**
 * Throws a {@link SimulationError} unless a circuit runs on a device as it is written: physical qubits, and native gates in
 * the directions that the device has. `request` is what asks for that.
 */
export function checkVerbatim({ parts }: Circuit, target: Target, request: string): void {
  if (parts.numQubits > 0 && parts.quantum[0]?.name !== "$")
    throw new SimulationError(
      `A program that runs as it is written names physical qubits, such as \`$0\`; this one declares qubits. Leave ${request} out to have them placed on the device.`,
    );
  for (const { steps } of traceOf(parts))
    for (const step of steps)
      visitSteps(step, parts, single => {
        if (single.kind === "gate")
          checkGate(single, target, { where: whereOf(parts, single.range[0]), request });
      });
}

function checkGate(
  call: GateCall,
  target: Target,
  { where, request }: { where: string; request: string },
): void {
  const { gate, qubits } = call;
  if (qubits.length === 0) return;
  const { oneQubit, twoQubit } = target.basis;
  const native = [...ONE_QUBIT_GATES[oneQubit], twoQubit];
  const written = (places: readonly number[]) =>
    `${gate.name} ${places.map(qubit => `$${qubit}`).join(", ")}`;
  if (!native.some(name => isSameGate(call, name)))
    throw new SimulationError(
      `${where}${written(qubits)}: the device has no such gate; its own are ${native.join(", ")}. Leave ${request} out to have gates translated.`,
    );
  const [a, b] = qubits as [number, number];
  const coupling = qubits.length === 2 ? target.couplingOf(a, b) : undefined;
  if (coupling && !coupling.isSymmetric && coupling.qubits[0] !== a)
    throw new SimulationError(
      `${where}${written(qubits)}: the device has this gate as ${written([b, a])} only. Leave ${request} out to have it turned around.`,
    );
}

/** Whether a call has the name and the unitary of a device's gate. */
function isSameGate({ gate, params, qubits }: GateCall, name: string): boolean {
  const own = nativeGate(name);
  if (gate === own) return true;
  const isNamed = gate.name === name || gate.name === own.name;
  if (!isNamed || gate.numQubits !== own.numQubits || gate.numParams !== own.numParams) return false;
  const [is, should] = [gate, own].map(one => gateOperations(one, params, qubits, [], {})[0]!);
  return "matrix" in is! && "matrix" in should! && distanceUpToPhase(is.matrix, should.matrix) < TOLERANCE;
}
