import { must, oneOf, wholeNumber } from "../../contract/index.ts";
import { clip, code, formatCount, formatNumber, pad, singleLine, table } from "../../display/index.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import type { BlochVector } from "../state/reduced.ts";
import type { StepperCircuit } from "./circuit-view.ts";
import { stepperSpec, stillsSpec } from "./stepper-spec.ts";

/** How an execution is drawn that can be stepped through, from 420 pixels wide, 720 by default. */
export interface StepperOptions extends FigureOptions {
  /** Step that is shown first, and in a picture that stands still. Default: 1, the first operation. */
  step?: number;
  /** What is drawn of the state. Default: `"both"`. */
  state?: "amplitudes" | "bloch" | "both" | "none";
  /** Shows so many steps beside each other, 2 to 12, where there is no slider: on paper, or where no script runs. Default: one. */
  stills?: number;
}

/** What was done in a step of an execution, and what holds after it. */
export interface StepperFrame {
  readonly instruction: string;
  /** The line of the program, from 1, or null. */
  readonly line: number | null;
  /** Real and imaginary parts, interleaved; null where they are not known. */
  readonly amplitudes: ArrayLike<number> | null;
  /** The state under noise; null without noise. */
  readonly noisy: {
    readonly probabilities: readonly number[];
    readonly bloch: readonly BlochVector[];
  } | null;
  /** The state in a line. */
  readonly state: string;
  /** Classical registers and variables in a line. */
  readonly memory: string;
  /** What was measured, with its probability; empty for what is no measurement. */
  readonly outcome: string;
}

/** An execution of a program. */
export interface StepperData {
  /** The lines of the program. */
  readonly lines: readonly string[];
  /** What the qubits are called. */
  readonly qubits: readonly string[];
  /** The operations on their wires, a column for each step after the beginning. */
  readonly circuit: StepperCircuit;
  /** The beginning, and what holds after each step. */
  readonly frames: readonly StepperFrame[];
  readonly isComplete: boolean;
}

/** An execution before it is drawn in one way or another. */
export interface Stepper extends StepperData {
  readonly title: string;
  readonly subtitle: string;
  readonly options: StepperOptions;
}

export const stepperChecks = {
  ...{ ...figureChecks, step: wholeNumber(0) },
  state: oneOf("amplitudes", "bloch", "both", "none"),
  stills: must(
    "a whole number from 2 to 12",
    value => Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 12,
  ),
};

/** Draws an execution of a program with a slider over its steps. */
export function stepperChart(data: StepperData, options: StepperOptions = {}): Chart<StepperOptions> {
  return drawChart(
    {
      checks: stepperChecks,
      prepare: chosen => prepare(data, chosen),
      describe: ({ frames, options: { step = 1 } }) => {
        const { instruction, state } = frames[Math.min(step, frames.length - 1)]!;
        const place = `Step ${Math.min(step, frames.length - 1)} of ${frames.length - 1}`;
        return `${place}, ${instruction}${state ? `: ${state}` : ""}`;
      },
      ...{
        spec: (one: Stepper, text: string) =>
          one.options.stills ? stillsSpec(one, text) : stepperSpec(one, text),
        table: stepperTable,
        text: stepperText,
        records,
        area: null,
      },
    },
    options,
  );
}

function prepare(data: StepperData, options: StepperOptions): Stepper {
  const last = data.frames.length - 1;
  if (options.step !== undefined && options.step > last)
    throw new RangeError(`There is no step ${options.step}: the execution has the steps 0 to ${last}.`);
  return {
    ...data,
    title: singleLine(options.title ?? "Step by step", 80),
    subtitle: data.isComplete ? "" : `${formatCount(last, "steps")}; the program continues`,
    options,
  };
}

interface Row extends StepperFrame {
  step: number;
}

const rowsOf = ({ frames }: Stepper): Row[] => frames.map((frame, step) => ({ step, ...frame }));

const records = (stepper: Stepper) =>
  rowsOf(stepper).map(({ step, line, instruction, outcome, memory, state }) => ({
    ...{ step, line, instruction, outcome, memory, state },
  }));

const stepperTable = (stepper: Stepper) =>
  table<Row>({
    caption: stepper.title,
    noun: "steps",
    rows: rowsOf(stepper),
    columns: [
      { label: "Step", align: "right", value: ({ step }) => formatNumber(step) },
      { label: "Line", align: "right", value: ({ line }) => (line === null ? "" : formatNumber(line)) },
      { label: "Instruction", value: ({ instruction }) => code(instruction) },
      { label: "Outcome", value: ({ outcome }) => outcome },
      { label: "Memory", value: ({ memory }) => code(memory) },
      { label: "State", value: ({ state }) => code(state) },
    ],
  });

function stepperText(stepper: Stepper, width: number): string {
  const { frames, title } = stepper;
  const widest = Math.min(28, Math.max(...frames.map(({ instruction }) => instruction.length)));
  const lines = rowsOf(stepper).map(({ step, instruction, memory, state }) =>
    [`  ${pad(String(step), 4, "right")}`, pad(clip(instruction, widest), widest), memory, state]
      .filter(Boolean)
      .join("  "),
  );
  return [title, ...lines].map(line => clip(line, Math.max(30, Math.floor(width)))).join("\n");
}
