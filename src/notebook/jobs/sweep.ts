import { KetbookError } from "../../client/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import { formatNumber } from "../../display/index.ts";
import type { Ketbook } from "../ketbook.ts";
import { type Inputs, type InputValue, inputBinder } from "../programs/inputs.ts";
import { QasmProgram } from "../programs/program.ts";
import type { Results } from "../results/results.ts";
import { type Run, run } from "./run.ts";

const maxRuns = LIMITS.maxPrograms;

/** Prepares a batch of one program with `input` variables, one run for each set of values, or each point of a grid. */
export function sweep(
  ketbook: Ketbook,
  program: string | RecordedProgram,
  values: readonly Inputs[] | Inputs,
): Run<Results> {
  const isGrid = typeof values === "object" && values !== null && !Array.isArray(values);
  const sets = isGrid ? gridOf(values as Inputs) : values;
  if (!Array.isArray(sets) || sets.length === 0)
    throw new KetbookError(
      "sweep: give a list of values, one set a run: [{ theta: 0 }, { theta: 0.1 }]; or of each input the values of a grid: { theta: [0, 0.1] }.",
    );
  if (sets.length > maxRuns) throw tooMany(sets.length);
  const binder = inputBinder(QasmProgram.of(program), "sweep");
  const programs = sets.map((inputs, index) => {
    const where = ` (values ${index})`;
    binder.check(inputs, where);
    return binder.bind(inputs, where);
  });
  return run(ketbook, programs) as Run<Results>;
}

/** Every combination of the values of the inputs, those of the last input next to each other. */
function gridOf(values: Inputs): Inputs[] {
  const axes = Object.entries(values).map(([name, value]) => {
    const list = (Array.isArray(value) ? value : [value]) as readonly InputValue[];
    return list.map(item => [name, item] as const);
  });
  const size = axes.reduce((product, { length }) => product * length, axes.length > 0 ? 1 : 0);
  if (size > maxRuns) throw tooMany(size);
  const points = axes.reduce<(readonly [string, InputValue])[][]>(
    (begun, axis) => begun.flatMap(point => axis.map(item => [...point, item])),
    [[]],
  );
  return size === 0 ? [] : points.map(point => Object.fromEntries(point));
}

function tooMany(runs: number): KetbookError {
  return new KetbookError(
    `sweep: ${formatNumber(runs)} runs are too many for one job, which holds ${formatNumber(maxRuns)} at most: sweep fewer values, or split them.`,
  );
}
