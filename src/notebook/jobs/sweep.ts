import { KetbookError } from "../../client/errors.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import type { Ketbook } from "../ketbook.ts";
import { type Inputs, inputBinder } from "../programs/inputs.ts";
import { QasmProgram } from "../programs/program.ts";
import type { Results } from "../results/results.ts";
import { type Run, run } from "./run.ts";

/** Prepares a batch of one program with `input` variables, one run for each set of values. */
export function sweep(
  ketbook: Ketbook,
  program: string | RecordedProgram,
  values: readonly Inputs[],
): Run<Results> {
  if (!Array.isArray(values) || values.length === 0)
    throw new KetbookError("sweep: give a list of values, one set a run: [{ theta: 0 }, { theta: 0.1 }].");
  const binder = inputBinder(QasmProgram.of(program), "sweep");
  const programs = values.map((inputs, index) => {
    const where = ` (values ${index})`;
    binder.check(inputs, where);
    return binder.bind(inputs, where);
  });
  return run(ketbook, programs) as Run<Results>;
}
