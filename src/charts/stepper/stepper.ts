import { must, oneOf, wholeNumber } from "../../contract/index.ts";
import {
  clip,
  clipLines,
  code,
  formatCount,
  formatNumber,
  numbers,
  pad,
  present,
  singleLine,
  table,
} from "../../display/index.ts";
import { type Chart, drawChart } from "../chart.ts";
import { figureChecks } from "../options.ts";
import type { StepperData, StepperOptions } from "./execution.ts";
import { stepperSpec, stillsSpec } from "./stepper-spec.ts";

export const stepperChecks = {
  ...{ ...figureChecks, step: wholeNumber(0) },
  state: oneOf("amplitudes", "bloch", "both", "none"),
  stills: must(
    "a whole number from 2 to 12",
    value => Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 12,
  ),
};

export const stepperChart = (data: StepperData, options: StepperOptions = {}): Chart<StepperOptions> =>
  drawChart<StepperOptions>(stepperChecks, options, chosen => {
    const { frames, isComplete } = data;
    const last = frames.length - 1;
    if (chosen.step !== undefined && chosen.step > last)
      throw new RangeError(`There is no step ${chosen.step}: the execution has the steps 0 to ${last}.`);
    const step = Math.min(chosen.step ?? 1, last);
    const { instruction, state } = frames[step]!;
    const title = singleLine(chosen.title ?? "Step by step", 80);
    const rows = frames.map((frame, step) => ({ step, ...frame }));
    return {
      ...{ title, area: null },
      subtitle: isComplete ? "" : `${formatCount(last, "steps")}; the program continues`,
      description: `Step ${step} of ${last}, ${instruction}${state ? `: ${state}` : ""}`,
      spec: (chosen.stills ? stillsSpec : stepperSpec)({ ...data, options: chosen }),
      records: () =>
        rows.map(({ step, line, instruction, outcome, memory, state }) => ({
          ...{ step, line, instruction, outcome, memory, state },
        })),
      table: () =>
        table<(typeof rows)[number]>({
          caption: title,
          noun: "steps",
          rows,
          columns: [
            numbers("Step", ({ step }) => formatNumber(step)),
            numbers("Line", ({ line }) => (line === null ? "" : formatNumber(line))),
            { label: "Instruction", value: ({ instruction }) => code(instruction) },
            { label: "Outcome", value: ({ outcome }) => outcome },
            { label: "Memory", value: ({ memory }) => code(memory) },
            { label: "State", value: ({ state }) => code(state) },
          ],
        }),
      text: columns => {
        const widest = Math.min(28, Math.max(...frames.map(({ instruction }) => instruction.length)));
        const lines = rows.map(({ step, instruction, memory, state }) => {
          const place = `  ${pad(String(step), 4, "right")}`;
          return present([place, pad(clip(instruction, widest), widest), memory, state]).join("  ");
        });
        return clipLines([title, ...lines], columns);
      },
    };
  });
