import {
  type Chart,
  type StepperFrame,
  type StepperOptions,
  stepperChart,
  stepperChecks,
} from "../../charts/index.ts";
import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import type { RecordedProgram } from "../../contract/index.ts";
import { type CircuitElement, drawStrip, type ExecutedStep } from "../../simulation/index.ts";
import { type Device, PendingDevice } from "../devices/device.ts";
import { QasmProgram } from "../programs/program.ts";
import {
  executeSteps,
  outcomeText,
  qubitNames,
  rowOf,
  stateText,
  type TraceOptions,
  type TraceStep,
  traceChecks,
} from "../programs/trace.ts";
import { defaultSession } from "../session.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions, given } from "../values/options.ts";

/**
 * Shows one execution of a program with a slider over its steps: its text and its circuit, what was measured, the
 * classical variables, the amplitudes and the Bloch spheres. `program.trace()` has the same as data.
 *
 * @example
 * ```ts
 * import { qasm, step } from "ketbook";
 * const bell = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;
 * step(bell, { outcomes: [1] });
 * ```
 *
 * With `noise` the states are averaged over the errors of gates; with `device` that noise is of the device's calibration, qubit 0
 * of the program on its qubit 0, and the chart is fetched when it is awaited or shown.
 *
 * @param options - Which execution, as for `trace`, and how it is drawn.
 * @throws KetbookError for a program that does not compile, an outcome whose probability is 0, and more than 20 qubits in
 * superposition.
 */
export function step(
  program: string | RecordedProgram,
  options?: TraceOptions & StepperOptions,
): Chart<StepperOptions>;
export function step(
  program: string | RecordedProgram,
  options: TraceOptions & StepperOptions & { device: string | Device | PendingDevice },
): LazyValue<Chart<StepperOptions>>;
export function step(
  program: string | RecordedProgram,
  { device, ...options }: TraceOptions & StepperOptions & { device?: string | Device | PendingDevice } = {},
): Chart<StepperOptions> | LazyValue<Chart<StepperOptions>> {
  if (device === undefined) return drawSteps(program, options);
  if (options.noise !== undefined)
    throw new KetbookError("step: give device, whose noise is drawn, or noise; not both.");
  return new LazyValue("Steps", async () => {
    const asked = typeof device === "string" ? new PendingDevice(defaultSession(), device) : device;
    return drawSteps(program, { ...options, noise: await (await asked).calibration() });
  });
}

function drawSteps(
  program: string | RecordedProgram,
  all: TraceOptions & StepperOptions,
): Chart<StepperOptions> {
  checkHelperOptions<TraceOptions & StepperOptions>("step", all, { ...traceChecks, ...stepperChecks });
  const { seed, outcomes, maxSteps, inputs, noise, ...options } = all;
  const source = QasmProgram.of(program);
  const tracing = given({ seed, outcomes, maxSteps, inputs, noise });
  const { circuit, steps, isComplete } = executeSteps("step", source.source, tracing);
  const data = {
    lines: source.data.trimEnd().split("\n"),
    qubits: qubitNames(circuit),
    circuit: drawStrip(circuit, steps.slice(1).map(elementOf)),
    frames: steps.map((executed, index) => frameOf(executed, rowOf(circuit, executed, index))),
    isComplete,
  };
  return rethrowAsKetbookError("step", () => stepperChart(data, options));
}

function elementOf({ kind, gate, params, qubits, bit }: ExecutedStep): CircuitElement {
  if (gate) return { kind: "gate", gate, params, qubits };
  return kind === "measure"
    ? { kind, qubits, bits: bit === null ? [] : [bit] }
    : { kind: "reset", qubit: qubits[0]! };
}

function frameOf({ amplitudes, noisy }: ExecutedStep, row: TraceStep): StepperFrame {
  const memory = [
    ...Object.entries(row.registers).map(([name, bits]) => `${name} = ${bits}`),
    ...Object.entries(row.variables).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ];
  return {
    ...{ instruction: row.instruction, line: row.line, amplitudes, noisy },
    state: amplitudes ? stateText(amplitudes) : "",
    memory: memory.join(" · "),
    outcome: outcomeText(row),
  };
}
