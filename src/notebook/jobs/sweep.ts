import { KetbookError } from "../../client/index.ts";
import { describeValue, LIMITS, type RecordedProgram } from "../../contract/index.ts";
import { formatNumber } from "../../display/index.ts";
import { type Inputs, type InputValue, inputBinder } from "../programs/inputs.ts";
import { QasmProgram } from "../programs/program.ts";
import type { Results } from "../results/result.ts";
import type { Session } from "../session.ts";
import { type Run, run } from "./run.ts";

const maxRuns = LIMITS.maxPrograms;

interface SweepGrid {
  readonly [input: string]: InputValue | Iterable<InputValue>;
}

export function sweep(
  session: Session,
  program: string | RecordedProgram,
  values: Iterable<Inputs> | SweepGrid,
): Run<Results> {
  const sets = isIterable(values)
    ? take<Inputs>(values, maxRuns, tooMany)
    : pointsOf(Object(values) as SweepGrid, maxRuns, tooMany);
  const wrong = sets.findIndex(set => typeof set !== "object" || set === null || isIterable(set));
  if (sets.length === 0 || wrong >= 0)
    throw new KetbookError(
      `sweep: ${wrong >= 0 ? `values ${wrong} are ${describeValue(sets[wrong])}. Give` : "give"} a list of values by name, one set a run: [{ theta: 0 }, { theta: 0.1 }]; or of each input the values of a grid: { theta: [0, 0.1] }.`,
    );
  const binder = inputBinder(QasmProgram.of(program), "sweep");
  const programs = sets.map((inputs, index) => {
    const where = isIterable(values) ? ` (values ${index})` : "";
    binder.check(inputs, where);
    return binder.bind(inputs, where);
  });
  return run(session, programs) as Run<Results>;
}

const isIterable = (value: unknown): value is Iterable<never> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

type Refusal = (count: string) => KetbookError;

/** Lists what an iterable yields, which may never end. */
function take<T>(values: Iterable<T>, max: number, tooMany: Refusal): T[] {
  const list: T[] = [];
  for (const value of values) if (list.push(value) > max) throw tooMany(`More than ${formatNumber(max)}`);
  return list;
}

/** Returns every combination of the values of the inputs, those of the last input next to each other. */
export function pointsOf(grid: SweepGrid, max: number, tooMany: Refusal): Inputs[] {
  const axes = Object.entries(grid).map(([name, values]) => {
    const list = isIterable(values) ? take<InputValue>(values, max, tooMany) : [values as InputValue];
    return list.map(value => ({ [name]: value }));
  });
  const size = axes.reduce((product, { length }) => product * length, axes.length > 0 ? 1 : 0);
  if (size > max) throw tooMany(formatNumber(size));
  if (size === 0) return [];
  return axes.reduce<Inputs[]>(
    (points, axis) => points.flatMap(point => axis.map(value => ({ ...point, ...value }))),
    [{}],
  );
}

function tooMany(runs: string): KetbookError {
  return new KetbookError(
    `sweep: ${runs} runs are too many: a job has at most ${formatNumber(maxRuns)}. Sweep fewer values, or split them.`,
  );
}
