import { KetbookError } from "../../client/errors.ts";
import { must, wholeNumber } from "../../contract/options.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import { code } from "../../display/cell.ts";
import { formatNumber, formatPercent, type RenderedView, table } from "../../display/index.ts";
import {
  type Circuit,
  compile,
  type ExecutedStep,
  type OutputValue,
  ProgramError,
  SimulationError,
  stepProgram,
} from "../../simulation/index.ts";
import { State } from "../results/state.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { checkHelperOptions } from "../values/options.ts";
import type { Inputs } from "./inputs.ts";
import { operationText, registerValues } from "./operation-text.ts";
import { stateText } from "./state-text.ts";

/** Which execution of a program is traced. */
export interface TraceOptions {
  /** Decides what measurements find: the same seed traces the same execution. A whole number. Default: 0. */
  seed?: number;
  /** What the measurements find, in their order; null for one that the seed decides. Default: the seed decides all. */
  outcomes?: readonly (0 | 1 | null)[];
  /** Maximum number of steps, up to 10,000; the trace ends there. Default: 500. */
  maxSteps?: number;
  /** Values of the program's `input` variables, by name. */
  inputs?: Inputs;
}

/** What holds in an execution after an instruction. */
export interface TraceStep {
  /** Instructions so far; 0 is the beginning. */
  readonly step: number;
  /** What was done: `start`, a gate, a measurement or a reset. */
  readonly kind: "start" | "gate" | "measure" | "reset";
  /** The instruction as OpenQASM with its operands as they were, such as `cx q[0], q[1]`. */
  readonly instruction: string;
  /** The line of the program, from 1; null for the start, and for what stands in an included file. */
  readonly line: number | null;
  /** The qubits that it acts on, by their place among all. */
  readonly qubits: readonly number[];
  /** What a measurement found; null for everything else. */
  readonly outcome: 0 | 1 | null;
  /** How likely that was, 0 to 1; null for everything else. */
  readonly probability: number | null;
  /** The bit string of each classical register, its last bit on the left. */
  readonly registers: { readonly [name: string]: string };
  /** The values of the other classical variables: all, or those declared as `output`. */
  readonly variables: { readonly [name: string]: OutputValue };
  /** The state of all qubits; null where there are more than 10. */
  readonly state: State | null;
}

const MAX_STEPS = 10_000;
const optionChecks = {
  seed: wholeNumber(0),
  outcomes: must(
    "a list of 0, 1 and null, such as [0, null, 1]",
    value => Array.isArray(value) && value.every(outcome => [0, 1, null].includes(outcome)),
  ),
  maxSteps: must(
    "a whole number from 1 to 10,000",
    value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_STEPS,
  ),
  inputs: must("an object such as { theta: 0.5 }", value => typeof value === "object" && value !== null),
};

/** One execution of a program, step by step: an array that shows itself as a table. */
export class Trace extends DisplayableList<TraceStep> {
  /** Whether the program has ended within the maximum number of steps. */
  isComplete = true;

  /** @internal */
  protected override noun(): string {
    return "steps";
  }

  /** @internal */
  protected override listOf(rows: readonly TraceStep[]): this {
    return Object.assign(super.listOf(rows), { isComplete: this.isComplete });
  }

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
      ...(this.isComplete ? {} : { note: "The program goes on; `maxSteps` lets the trace be longer." }),
    });
  }
}

const outcomeText = ({ outcome, probability }: TraceStep) =>
  outcome === null ? "" : `${outcome} of ${formatPercent(probability)}`;

/**
 * Traces one execution of a program.
 *
 * @throws KetbookError for a program that does not compile, an outcome that is impossible, and what is too large.
 */
export function traceProgram(program: RecordedProgram, options: TraceOptions = {}): Trace {
  checkHelperOptions("trace", options, optionChecks);
  const { format, data, files } = program;
  const { seed = 0, outcomes = [], maxSteps = 500, inputs } = options;
  const source = { format: format as "qasm3", data: String(data), ...(files ? { files } : {}) };
  try {
    const circuit = compile(source, inputs ? { inputs } : {});
    const { steps, isComplete } = stepProgram(circuit, { seed, outcomes, maxSteps });
    const rows = steps.map((step, index) => rowOf(circuit, step, index));
    return Object.assign(Trace.from(rows) as Trace, { isComplete });
  } catch (error) {
    if (!(error instanceof ProgramError || error instanceof SimulationError)) throw error;
    throw new KetbookError(`trace: ${error.message}`, { cause: error });
  }
}

function rowOf(circuit: Circuit, step: ExecutedStep, index: number): TraceStep {
  const { kind, location, qubits, outcome, probability, amplitudes, variables } = step;
  return {
    step: index,
    kind,
    instruction: operationText(circuit, step),
    line: location && !location.file ? location.line : null,
    ...{ qubits, outcome, probability },
    registers: registerValues(circuit, step.bits),
    variables,
    state: amplitudes && new State(amplitudes),
  };
}
