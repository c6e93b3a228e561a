import { z } from "zod";
import { type JobTimes, jobTimesOf } from "./job.ts";
import type { Kit } from "./kit.ts";

/** What a program gave. */
export interface ResultData {
  /** Bit string to how often it was seen; the last declared bit is on the left. */
  measurementCounts: { [outcome: string]: number } | null;
  /** The registers that the bits of an outcome belong to, in the order of their declaration. */
  registers?: { name: string; size: number }[] | null;
  /** One bit string a shot, in order; only when asked for with `memory`. */
  measurements?: string[] | null;
  /** Bit string to probability; from exact runs. */
  measurementProbabilities?: { [outcome: string]: number } | null;
  /** Amplitudes of the final state, real and imaginary parts in turn; only when asked for. */
  statevector?: number[] | null;
}

/** The result of one program. */
export interface RuntimeResult {
  status: string;
  /** Credits; of the whole job. */
  cost: number | null;
  timeStamps: JobTimes;
  resultData: ResultData;
}

/** Describes the result of one program. */
export const resultOf = (kit: Kit) =>
  kit.object({
    status: kit.text(),
    cost: kit.maybe(kit.amount()),
    timeStamps: jobTimesOf(kit),
    resultData: kit.object({
      measurementCounts: kit.maybe(kit.map(kit.amount())),
      registers: z.array(kit.object({ name: kit.text(), size: kit.count() })).nullish(),
      measurements: z.array(z.string()).nullish(),
      measurementProbabilities: kit.map(kit.amount()).nullish(),
      statevector: z.array(z.number()).nullish(),
    }),
  });

/** Describes what a result look-up answers: one result, or one a program of a batch, in order. */
export const resultsOf = (kit: Kit) => z.union([resultOf(kit), z.array(resultOf(kit))]);
