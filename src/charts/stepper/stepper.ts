import { must, oneOf, wholeNumber } from "../../contract/index.ts";
import {
  clip,
  clipLines,
  code,
  formatCount,
  formatNumber,
  pad,
  singleLine,
  table,
} from "../../display/index.ts";
import { type Chart, drawChart } from "../chart.ts";
import { figureChecks } from "../options.ts";
import type { Stepper, StepperData, StepperFrame, StepperOptions } from "./execution.ts";
import { stepperSpec, stillsSpec } from "./stepper-spec.ts";

export const stepperChecks = {
  ...{ ...figureChecks, step: wholeNumber(0) },
  state: oneOf("amplitudes", "bloch", "both", "none"),
  stills: must(
    "a whole number from 2 to 12",
    value => Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 12,
  ),
};

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
        spec: (one: Stepper) => (one.options.stills ? stillsSpec(one) : stepperSpec(one)),
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
  return clipLines([title, ...lines], width);
}
