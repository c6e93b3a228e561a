import { z } from "zod";
import { calibrationSchema, deviceSchema, jobSchema, quoteSchema } from "../../contract/schemas/index.ts";

const text = (most: number) => z.string().min(1).max(most);

export const given = {
  device: text(200).describe("Resource name of a device, or a short name such as perth."),
  program: text(1_000_000).describe(
    "An OpenQASM 3 program. It must measure into bits. Physical qubits of a device are written $0, $1.",
  ),
  shots: z.int().min(1).max(100_000).default(1000).describe("Number of shots, 1 to 100000."),
  job: text(200).describe("Resource name of a job, as run returned it."),
  waitSeconds: z.number().min(0).max(300).default(60).describe("Seconds to wait for the end of the job."),
};

/** Returns a schema of the service as other services answer: with what they add, without what they leave out. */
function tolerant(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return loose(schema.shape);
  if (schema instanceof z.ZodDiscriminatedUnion)
    return loose(Object.assign({}, ...schema.options.map(option => (option as z.ZodObject).shape)));
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return tolerant(schema.unwrap());
  if (schema instanceof z.ZodArray) return z.array(tolerant(schema.element));
  if (schema instanceof z.ZodRecord) return z.record(z.string(), tolerant(schema.valueType).nullish());
  if (schema instanceof z.ZodLiteral) return z.boolean();
  return schema instanceof z.ZodNumber ? z.number() : z.string();
}

const loose = (shape: z.core.$ZodShape) =>
  z.looseObject(
    Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, tolerant(member).nullish()])),
  );

const deviceFields = { qrn: true, name: true, deviceType: true, status: true, numberQubits: true } as const;
export const deviceAnswer = loose(
  deviceSchema.pick({ ...deviceFields, pricing: true, queueDepth: true, avgQueueTime: true }).shape,
);
export const calibrationAnswer = tolerant(calibrationSchema);
export const quoteAnswer = tolerant(quoteSchema) as z.ZodObject;
export const jobAnswer = loose(
  jobSchema.pick({ jobQrn: true, deviceQrn: true, status: true, statusMsg: true, shots: true, cost: true })
    .shape,
);

const left = z
  .object({ credits: z.number(), jobs: z.number() })
  .describe("What this server may still spend.");

export const outcomesAnswer = jobAnswer.extend({
  outcomes: z
    .array(z.looseObject({ outcome: z.string(), probability: z.number() }).partial())
    .optional()
    .describe("Outcomes with 95% intervals from low to high, the most frequent first; or means."),
  omitted: z.number().optional().describe("Outcomes that are not listed."),
  note: z.string().optional(),
  left,
});

export const estimateAnswer = z.object({
  estimation: z.string().describe("Its name, by which a notebook finds it: estimation(name)."),
  values: z.array(
    z.looseObject({
      ...{ observable: z.string(), value: z.number(), low: z.number(), high: z.number() },
      ...{ statistical: z.number(), systematic: z.number(), raw: z.number(), verdict: z.string() },
    }),
  ),
  isExact: z.boolean().describe("Whether a simulator computed the means without shots."),
  shots: z.number(),
  cost: z.number().nullable(),
  notes: z.array(z.string()),
  left,
});
