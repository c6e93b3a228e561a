import type { Client } from "../../client/index.ts";
import type { RecordedProgram, RuntimeJob } from "../../contract/index.ts";
import { type ProvenanceRecord, provenanceCard } from "../../display/index.ts";
import { QasmProgram } from "../programs/program.ts";
import type { Session } from "../session.ts";
import { type DisplayableValue, recordClass } from "../values/displayable-value.ts";
import type { Outcomes } from "./outcomes.ts";
import type { ResultContext } from "./result-record.ts";

type ProvenanceSource = Pick<Outcomes, "jobRecord" | "context" | "shots" | "cost" | "duration" | "bitOrder">;

const provenanceOf = recordClass<ProvenanceRecord>(provenanceCard);

export function makeProvenance(source: ProvenanceSource): ProvenanceRecord & DisplayableValue {
  const { jobRecord: job, context, shots, cost, duration, bitOrder } = source;
  const { seed, service } = job.metadata as {
    seed?: unknown;
    service?: { name?: unknown; version?: unknown };
  };
  return provenanceOf({
    jobQrn: job.jobQrn || null,
    program: textOfProgram(context.program),
    compiledProgram: textOfProgram(context.compiledProgram),
    deviceQrn: job.deviceQrn || null,
    calibratedAt: context.calibratedAt ?? calibrationOf(job),
    shots,
    options: job.runtimeOptions,
    seed: typeof seed === "number" ? seed : null,
    libraryVersion: context.libraryVersion ?? null,
    service: service?.name ? `${service.name} ${service.version ?? ""}`.trim() : null,
    cost,
    duration,
    endedAt: job.timeStamps.endedAt,
    bitOrder,
  });
}

const textOfProgram = (program: string | RecordedProgram | undefined) =>
  program ? QasmProgram.of(program).data : null;

function calibrationOf({ metadata }: Readonly<RuntimeJob>): string | null {
  const { lastCalibrated } = Object(metadata.calibration) as { lastCalibrated?: unknown };
  return typeof lastCalibrated === "string" ? lastCalibrated : null;
}

/** The instances that results are from, by their contexts; none for those that were loaded or made by hand. */
export const owners = new WeakMap<ResultContext, Session>();

/** Data fetched for a job, once for all results of a batch. */
const fetched = new WeakMap<object, ReturnType<typeof fetchProvenance>>();

/** Fetches the compiled program and the calibration that was in force. Unavailable parts stay unknown. */
export async function completeContext(job: Readonly<RuntimeJob>, context: ResultContext): Promise<void> {
  const owner = owners.get(context);
  if (!owner || !job.jobQrn || context.compiledProgram !== undefined) return;
  const pending = fetched.get(job) ?? fetchProvenance(owner.client, job);
  fetched.set(job, pending);
  const { compiled, calibratedAt } = await pending;
  const program = compiled[context.index ?? 0];
  if (program && program.data !== "") context.compiledProgram = program;
  if (calibratedAt !== null) context.calibratedAt ??= calibratedAt;
}

async function fetchProvenance({ jobs, devices }: Client, job: Readonly<RuntimeJob>) {
  const isQpu = /:qpu:/.test(job.deviceQrn);
  const [compiled, calibration] = await Promise.all([
    jobs.compiledProgram(job.jobQrn).catch(() => []),
    isQpu && calibrationOf(job) === null
      ? devices.calibrations(job.deviceQrn).catch(() => undefined)
      : undefined,
  ]);
  const [calibrated, ended] = [calibration?.lastCalibrated, job.timeStamps.endedAt].map(time =>
    Date.parse(time ?? ""),
  );
  return {
    compiled: [compiled].flat(),
    calibratedAt: calibrated! <= ended! ? calibration!.lastCalibrated : null,
  };
}

/** Returns the differences between provenances in words; empty if there are none. */
export function differences(all: readonly ProvenanceSource[]): string {
  const records = all.map(makeProvenance);
  const named: [string, (record: ProvenanceRecord) => unknown][] = [
    ["device", ({ deviceQrn }) => deviceQrn],
    ["program", ({ program }) => program],
    ["shots", ({ shots }) => shots],
    ["options", ({ options: { seed: _, ...options } }) => JSON.stringify(options)],
    ["seed", ({ seed }) => seed],
    ["calibration", ({ calibratedAt }) => calibratedAt],
    ["service", ({ service }) => service],
    ["library", ({ libraryVersion }) => libraryVersion],
    ["bit order", ({ bitOrder }) => bitOrder.order],
  ];
  const known = (value: unknown) => value !== null && value !== undefined;
  return named
    .filter(([, of]) => new Set(records.map(of).filter(known)).size > 1)
    .map(([name]) => name)
    .join(", ");
}
