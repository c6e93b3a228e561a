import { KetbookError } from "../../client/errors.ts";
import type { Run } from "../jobs/run.ts";
import type { Ketbook } from "../ketbook.ts";
import type { Result } from "./result.ts";

/** Prepares the run of a result again. Throws a `KetbookError` when its program is not known. */
export function replayRun(ketbook: Ketbook, { context, jobRecord, shots }: Result): Run<Result> {
  const { program, index = 0 } = context;
  if (!program) throw new KetbookError("replay: the result does not know its program.");
  const { deviceQrn, runtimeOptions, metadata } = jobRecord;
  const seed = index === 0 && typeof metadata.seed === "number" ? { seed: metadata.seed } : {};
  const run = ketbook
    .run(program)
    .shots(shots)
    .recorded({ ...seed, ...runtimeOptions });
  return deviceQrn ? run.on(deviceQrn) : run;
}
