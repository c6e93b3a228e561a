import { type BlochVector, basisState, formatPhase } from "../../charts/index.ts";
import { must, wholeNumber } from "../../contract/index.ts";
import { code, formatNumber, formatPercent, numbers, type RenderedView, table } from "../../display/index.ts";
import {
  type Circuit,
  compile,
  type ExecutedStep,
  NOISY_OPERATIONS,
  noiseModelOfRules,
  type OutputValue,
  SimulationError,
  type SourceProgram,
  type SteppedProgram,
  stepProgram,
} from "../../simulation/index.ts";
import { Calibration } from "../devices/calibration.ts";
import { noise } from "../noise/noise.ts";
import { NoiseModel } from "../noise/noise-model.ts";
import { State } from "../results/state.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { checkHelperOptions } from "../values/options.ts";
import type { Inputs } from "./inputs.ts";
import { naming } from "./program-figures.ts";

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
        numbers("Step", ({ step }) => formatNumber(step)),
        numbers("Line", ({ line }) => (line === null ? "" : formatNumber(line))),
        { label: "Instruction", value: ({ instruction }) => code(instruction) },
        hasOutcomes && { label: "Outcome", value: outcomeText },
        ...registers.map(name => ({ label: name, value: (row: TraceStep) => code(row.registers[name]!) })),
        ...variables.map(name => ({
          label: name,
          value: (row: TraceStep) => code(JSON.stringify(row.variables[name])),
        })),
        !!first?.state && {
          label: "State",
          value: ({ state }: TraceStep) => code(state ? stateText(state.amplitudes) : ""),
        },
      ],
      ...(this.isComplete ? {} : { note: "The program continues; `maxSteps` lets the trace be longer." }),
    });
  }
}

export function traceProgram(program: SourceProgram, options: TraceOptions = {}): Trace {
  const { circuit, steps, isComplete } = executeSteps("trace", program, options);
  const rows = steps.map((step, index) => rowOf(circuit, step, index));
  return Trace.ofRows(rows, { about: isComplete ? undefined : "incomplete" });
}

export function rowOf(circuit: Circuit, step: ExecutedStep, index: number): TraceStep {
  const { kind, location, qubits, outcome, probability, readAs, amplitudes, noisy, variables, bits } = step;
  const registers = circuit.registers.classical.map(({ name, offset, width }) => [
    name,
    [...bits.subarray(offset, offset + width)].reverse().join(""),
  ]);
  return {
    step: index,
    kind,
    instruction: operationText(circuit, step),
    line: location && !location.file ? location.line : null,
    ...{ qubits, outcome, probability },
    registers: Object.fromEntries(registers),
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

/** Selects the traced execution of a program. */
export interface TraceOptions {
  /** Decides what measurements find: the same seed traces the same execution. A whole number. Default: 0. */
  seed?: number;
  /** Measurement outcomes, in order; null leaves one to the seed. Default: the seed decides all. */
  outcomes?: readonly (0 | 1 | null)[];
  /** Maximum number of steps, up to 10,000; the trace ends there. Default: 500. */
  maxSteps?: number;
  /** Values of the program's `input` variables, by name. */
  inputs?: Inputs;
  /**
   * Noise of gates and readouts, of up to 8 qubits: what `noise` makes, or the calibration of a device, whose qubit 0 is that
   * of the program. States are then averaged over all errors of gates. Default: none.
   */
  noise?: NoiseModel | Calibration;
}

const MAX_STEPS = 10_000;
/** @internal */
export const traceChecks = {
  seed: wholeNumber(0),
  outcomes: must(
    "a list of 0, 1 and null, such as [0, null, 1]",
    value => Array.isArray(value) && value.every(outcome => [0, 1, null].includes(outcome)),
  ),
  maxSteps: must(
    "a whole number from 1 to 10,000",
    value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_STEPS,
  ),
  noise: must(
    "a noise model, such as noise({ twoQubit: 0.01 }), or a calibration",
    value => value instanceof NoiseModel || value instanceof Calibration,
  ),
  inputs: must("an object such as { theta: 0.5 }", value => typeof value === "object" && value !== null),
};

/** Executes a program once, step by step. Errors are `KetbookError`s that name the helper. */
export function executeSteps(
  helper: string,
  program: SourceProgram,
  options: TraceOptions,
): SteppedProgram & { circuit: Circuit } {
  checkHelperOptions(helper, options, traceChecks);
  const { seed = 0, outcomes = [], maxSteps = 500, inputs, noise: given } = options;
  return naming(helper, () => {
    const circuit = compile(program, inputs ? { inputs } : {});
    const rules = given instanceof Calibration ? noise({ calibration: given }).toJSON() : given?.toJSON();
    const isOfOperations = rules?.rules.some(({ gates }) => gates?.some(name => NOISY_OPERATIONS.has(name)));
    if (isOfOperations)
      throw new SimulationError(
        `Noise of ${[...NOISY_OPERATIONS].join(", ")} is not traced step by step; leave it out of the model.`,
      );
    const model = rules && noiseModelOfRules(rules, circuit.numQubits);
    return { circuit, ...stepProgram(circuit, { seed, outcomes, maxSteps, noise: model }) };
  });
}

/** Writes a step as OpenQASM, with the values that its operands and parameters had. */
function operationText({ registers }: Circuit, step: ExecutedStep): string {
  const { kind, name, params, qubits, bit } = step;
  if (kind === "start") return "start";
  const operands = qubits.map(qubit => elementName(registers.quantum, qubit)).join(", ");
  if (kind === "measure") {
    const target = bit === null ? "" : `${elementName(registers.classical, bit)} = `;
    return `${target}measure ${operands}`;
  }
  const values = params.length > 0 ? `(${params.map(value => Number(value.toPrecision(6))).join(", ")})` : "";
  return `${name}${values} ${operands}`;
}

/** Writes what a measurement found, and how likely that was; nothing for another step. */
export const outcomeText = ({ outcome, probability, readAs }: TraceStep): string =>
  outcome === null
    ? ""
    : `${outcome} of ${formatPercent(probability)}${readAs === null ? "" : `, read as ${readAs}`}`;

export const qubitNames = ({ numQubits, registers }: Circuit): string[] =>
  Array.from({ length: numQubits }, (_, qubit) => elementName(registers.quantum, qubit));

function elementName(
  registers: readonly { name: string; offset: number; size?: number; width?: number }[],
  place: number,
): string {
  const register = registers.find(
    ({ offset, size = 0, width = size }) => place >= offset && place < offset + width,
  );
  return register ? `${register.name}[${place - register.offset}]` : `[${place}]`;
}

const MAX_TERMS = 4;
const NEGLIGIBLE = 5e-4;

/** Writes amplitudes as kets in order, such as `0.707|00⟩ + 0.5e^(−iπ/4)|01⟩`. Terms after the fourth are counted. */
export function stateText(amplitudes: ArrayLike<number>): string {
  const count = amplitudes.length / 2;
  const numQubits = Math.log2(count);
  const terms: string[] = [];
  for (let index = 0; index < count; index++) {
    const [re, im] = [amplitudes[2 * index]!, amplitudes[2 * index + 1]!];
    if (Math.hypot(re, im) < NEGLIGIBLE) continue;
    terms.push(`${coefficient(re, im)}|${basisState(index, numQubits)}⟩`);
  }
  const [first = "0", ...others] = terms.slice(0, MAX_TERMS);
  const sum = others.reduce(
    (text, term) => (term.startsWith("−") ? `${text} − ${term.slice(1)}` : `${text} + ${term}`),
    first,
  );
  return terms.length > MAX_TERMS ? `${sum} + ${terms.length - MAX_TERMS} more` : sum;
}

function coefficient(re: number, im: number): string {
  const isReal = Math.abs(im) < NEGLIGIBLE;
  const isImaginary = Math.abs(re) < NEGLIGIBLE;
  const size = Math.hypot(re, im);
  const length = Math.abs(size - 1) < NEGLIGIBLE ? "" : size.toFixed(3).replace(/\.?0+$/, "");
  if (isReal || isImaginary) return `${re + im < 0 ? "−" : ""}${length}${isReal ? "" : "i"}`;
  const phase = formatPhase(Math.atan2(im, re));
  return `${length}e^(${phase.startsWith("−") ? `−i${phase.slice(1)}` : `i${phase}`})`;
}
