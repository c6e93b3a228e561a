import { type BlochVector, basisState } from "../../charts/index.ts";
import type { RecordedProgram } from "../../contract/index.ts";
import { code, formatNumber, type RenderedView, table } from "../../display/index.ts";
import type { Circuit, ExecutedStep, OutputValue } from "../../simulation/index.ts";
import { State } from "../results/state.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { executeSteps, type TraceOptions } from "./execute-steps.ts";
import { operationText, outcomeText, registerValues, stateText } from "./operation-text.ts";

/** State of an execution after an instruction. */
export interface TraceStep {
  /** Instructions so far; 0 is the beginning. */
  readonly step: number;
  /** Kind of instruction: `start`, a gate, a measurement or a reset. */
  readonly kind: "start" | "gate" | "measure" | "reset";
  /** The instruction as OpenQASM with its operands as they were, such as `cx q[0], q[1]`. */
  readonly instruction: string;
  /** The line of the program, from 1; null for the start, and for operations of an included file. */
  readonly line: number | null;
  /** The qubits that it acts on, by their place among all. */
  readonly qubits: readonly number[];
  /** Outcome of a measurement; null for everything else. */
  readonly outcome: 0 | 1 | null;
  /** Probability of the outcome, 0 to 1; null for everything else. */
  readonly probability: number | null;
  /** The bit string of each classical register, its last bit on the left. */
  readonly registers: { readonly [name: string]: string };
  /** The values of the other classical variables: all, or those declared as `output`. */
  readonly variables: { readonly [name: string]: OutputValue };
  /** Outcome after a readout error; null if there was none. */
  readonly readAs: 0 | 1 | null;
  /** The state of all qubits; null where there are more than 10, and under noise. */
  readonly state: State | null;
  /**
   * The qubits under noise, averaged over all errors of gates that may have happened; null without noise. Basis states have
   * the last qubit on the left, and shorter vectors are more mixed.
   */
  readonly noisy: {
    readonly probabilities: { readonly [basisState: string]: number };
    readonly bloch: readonly BlochVector[];
  } | null;
}

/** One execution of a program, step by step: an array that shows itself as a table. */
export class Trace extends DisplayableList<TraceStep> {
  /** Whether the program has ended within the maximum number of steps. */
  get isComplete(): boolean {
    return this.about !== "incomplete";
  }

  /** @internal */
  static override readonly noun: string = "steps";

  /** @internal */
  protected override render(): RenderedView {
    const hasOutcomes = this.some(({ outcome }) => outcome !== null);
    const [first] = this;
    const registers = Object.keys(first?.registers ?? {});
    const variables = Object.keys(first?.variables ?? {});
    return table<TraceStep>({
      caption: "Trace",
      noun: "steps",
      rows: this,
      columns: [
        { label: "Step", align: "right", value: ({ step }) => formatNumber(step) },
        { label: "Line", align: "right", value: ({ line }) => (line === null ? "" : formatNumber(line)) },
        { label: "Instruction", value: ({ instruction }) => code(instruction) },
        ...(hasOutcomes ? [{ label: "Outcome", value: outcomeText }] : []),
        ...registers.map(name => ({ label: name, value: (row: TraceStep) => code(row.registers[name]!) })),
        ...variables.map(name => ({
          label: name,
          value: (row: TraceStep) => code(JSON.stringify(row.variables[name])),
        })),
        ...(first?.state
          ? [
              {
                label: "State",
                value: ({ state }: TraceStep) => code(state ? stateText(state.amplitudes) : ""),
              },
            ]
          : []),
      ],
      ...(this.isComplete ? {} : { note: "The program continues; `maxSteps` lets the trace be longer." }),
    });
  }
}

/**
 * Traces one execution of a program.
 *
 * @throws KetbookError for a program that does not compile, an outcome that is impossible, and what is too large.
 */
export function traceProgram(program: RecordedProgram, options: TraceOptions = {}): Trace {
  const { circuit, steps, isComplete } = executeSteps("trace", program, options);
  const rows = steps.map((step, index) => rowOf(circuit, step, index));
  return Trace.ofRows(rows, { about: isComplete ? undefined : "incomplete" });
}

function rowOf(circuit: Circuit, step: ExecutedStep, index: number): TraceStep {
  const { kind, location, qubits, outcome, probability, readAs, amplitudes, noisy, variables } = step;
  return {
    step: index,
    kind,
    instruction: operationText(circuit, step),
    line: location && !location.file ? location.line : null,
    ...{ qubits, outcome, probability },
    registers: registerValues(circuit, step.bits),
    variables,
    readAs,
    state: amplitudes && new State(amplitudes),
    noisy: noisy && { bloch: noisy.bloch, probabilities: byBasisState(noisy.probabilities) },
  };
}

function byBasisState(probabilities: readonly number[]): { [basisState: string]: number } {
  const numQubits = Math.log2(probabilities.length);
  return Object.fromEntries(
    probabilities.flatMap((probability, index) =>
      probability > 1e-12 ? [[basisState(index, numQubits), probability]] : [],
    ),
  );
}
