import { z } from "zod";
import { TIMINGS } from "../job.ts";
import { LIMITS } from "../limits.ts";

const tag = z.union([z.string().max(LIMITS.maxTagLength), z.int(), z.boolean()], {
  error: `must be a string of at most ${LIMITS.maxTagLength} characters, an integer, or true or false`,
});

const small = (value: unknown) => JSON.stringify(value).length <= LIMITS.maxObjectLength;
const tooLarge = { error: `must not be longer than ${LIMITS.maxObjectLength} characters of JSON` };

/** A record of at most `max` members, which are counted before they are checked. */
const recordOf = <T extends z.ZodType>(key: z.ZodType<string, string>, value: T, max: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(record => Object.keys(record).length <= max, { error: `must not be more than ${max}` })
    .pipe(z.record(key, value));

export const tagsSchema = recordOf(z.string().min(1).max(LIMITS.maxTagKeyLength), tag, LIMITS.maxTags);

export const inputValueSchema: z.ZodType<InputValue> = z
  .lazy(() => z.union([z.number(), z.boolean(), z.string(), z.array(inputValueSchema)]))
  .meta({
    // A type that names itself is one that generators of clients stumble over.
    override: {
      anyOf: [{ type: "number" }, { type: "boolean" }, { type: "string" }, { type: "array", items: {} }],
      description: "A number, a boolean, a string, or a list of such values.",
    },
  });

/** The value of an `input` variable of a program; a list for an array. */
export type InputValue = number | boolean | string | InputValue[];

/** Checks which noise of an emulated QPU acts on a run. */
const deviceNoiseSchema = z.strictObject({
  relaxation: z.boolean().optional(),
  slowDephasing: z.boolean().optional(),
  gates: z.boolean().optional(),
  readout: z.boolean().optional(),
  overRotation: z.number().min(-0.5).max(0.5).optional(),
  crosstalk: z.number().min(0).max(10_000).optional(),
  correlatedReadout: z.number().min(0).max(0.5).optional(),
  drift: z.number().min(0).max(1000).optional(),
});

/** Checks the options of a run: those that the service reads; all others are kept and ignored. */
const runtimeOptionsSchema = z
  .looseObject({
    seed: z.int().min(0).optional(),
    memory: z.boolean().optional(),
    statevector: z.boolean().optional(),
    observables: z
      .array(z.union([z.string(), z.record(z.string(), z.number())]))
      .max(LIMITS.maxObservables)
      .optional(),
    inputs: recordOf(z.string(), inputValueSchema, LIMITS.maxInputs).optional(),
    noiseModel: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    noise: deviceNoiseSchema.optional(),
    precision: z.enum(["single", "double", "reproducible"]).optional(),
    maxBondDimension: z.int().min(1).max(4096).optional(),
    optimizationLevel: z.int().min(0).max(3).optional(),
    initialLayout: z.array(z.int().min(-1)).max(1000).optional(),
    verbatim: z.boolean().optional(),
    timing: z.enum(TIMINGS).optional(),
  })
  .refine(({ noiseModel, ...others }) => small(others), tooLarge)
  .refine(({ noiseModel = "" }) => JSON.stringify(noiseModel).length <= LIMITS.maxNoiseModelLength, {
    path: ["noiseModel"],
    error: `must not be longer than ${LIMITS.maxNoiseModelLength} characters of JSON`,
  });

const files = recordOf(z.string().min(1).max(LIMITS.maxFileNameLength), z.string(), LIMITS.maxFiles);

const program = z.object({ format: z.string().min(1).max(64), data: z.string(), files: files.optional() });

export const jobRequestSchema = z.object({
  deviceQrn: z.string().min(1).max(LIMITS.maxSeriesQrnLength),
  shots: z.int().min(0),
  program: z.union([program, z.array(program).min(1).max(LIMITS.maxPrograms)], {
    error: `must be a program, or a list of 1 to ${LIMITS.maxPrograms} programs`,
  }),
  name: z.string().max(LIMITS.maxNameLength).nullish(),
  tags: tagsSchema.nullish(),
  runtimeOptions: runtimeOptionsSchema.nullish(),
  groupJobQrn: z.string().min(1).nullish(),
});

export type CheckedJobRequest = z.output<typeof jobRequestSchema>;

export const groupRequestSchema = z.object({
  name: z.string().max(LIMITS.maxNameLength).nullish(),
  tags: tagsSchema.nullish(),
  metadata: z.record(z.string(), z.unknown()).refine(small, tooLarge).nullish(),
  maxTTL: z.int().min(1).max(LIMITS.maxGroupTTL).nullish(),
});

export type CheckedGroupRequest = z.output<typeof groupRequestSchema>;
