import { z } from "zod";
import { CostLimitError, type Device, KetbookError, type QasmProgram, qasm, transpile } from "../../index.ts";
import { finished, isRefusal, picked, plain } from "./answers.ts";
import { estimateAnswer, given, jobAnswer, outcomesAnswer } from "./schemas.ts";
import type { AddTool, ToolContext } from "./server.ts";

/** Minutes of a simulator's time that are reserved where time has a price. */
const RESERVED_MINUTES = 10;
/** Seconds of a QPU's time that are reserved for a job, and for the reset before each shot. */
const [JOB_SECONDS, RESET_SECONDS] = [10, 0.001];
/** Jobs of an estimate at most. */
const ESTIMATE_JOBS = 5;

/** Adds the tools that submit jobs within the caps, and those that read jobs. */
export function addSpendingTools(tool: AddTool, { ketbook, budget }: ToolContext): void {
  const { credits, jobs } = budget.caps;
  const caps =
    jobs === 0
      ? "This server only reads, so it refuses every run."
      : `All runs together may cost ${credits} credits in ${jobs} jobs.`;
  const spends = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
  const { program, device, shots, waitSeconds } = given;

  tool(
    "run",
    `Runs a program and waits for its result: outcomes with intervals, and their chart. ${caps}`,
    { program, device, shots, waitSeconds },
    outcomesAnswer,
    async ({ program, device: name, shots, waitSeconds }) => {
      const device = await ketbook.device(name);
      const made = qasm.text(program);
      const run = ketbook.run(made).on(device).shots(shots);
      const [quote, highest] = [await run.quote(), await highestCost(made, device, shots)];
      const quoted = quote.pricingAvailable ? quote.estimatedCost : 0;
      const reservation = budget.reserve(Math.max(highest, quoted));
      const job = await run.submit().catch(error => {
        if (isRefusal(error)) budget.settle(reservation, 0, 0);
        throw error;
      });
      budget.submitted.set(job.qrn, reservation);
      return finished(job, waitSeconds, budget);
    },
    spends,
  );

  tool(
    "estimate",
    `Estimates the means of observables in the final state of a program, errors of the device removed as far as possible: values with 95% intervals. It submits up to ${ESTIMATE_JOBS} jobs. ${caps}`,
    {
      program: program.describe(
        "An OpenQASM 3 program that prepares the state. Measurements at its end are ignored.",
      ),
      observables: z
        .array(z.string().min(1).max(10_000))
        .min(1)
        .max(20)
        .describe('Sums of Pauli strings, such as "Z0 Z1 + 0.5*X0".'),
      device,
      shots: z.int().min(1).max(1_000_000).default(10_000).describe("Shots of all jobs together."),
      maxCredits: z.number().min(0).optional().describe("Most that it may cost. Default: all that is left."),
      waitSeconds,
    },
    estimateAnswer,
    async ({ program, observables, device: name, shots, maxCredits, waitSeconds }) => {
      const device = await ketbook.device(name);
      const prepared = ketbook.estimate(qasm.text(program), observables).on(device).shots(shots);
      await prepared.programs();
      const { perMinute } = pricesOf(device);
      const limit = Math.min(maxCredits ?? Number.POSITIVE_INFINITY, budget.left.credits);
      const reservation = budget.reserve(limit, ESTIMATE_JOBS);
      const within = prepared.maxCost(perMinute > 0 ? limit / 2 : limit);
      const found = await within.result({ timeout: Math.max(1, waitSeconds * 1000) }).catch(error => {
        if (error instanceof CostLimitError) budget.settle(reservation, 0, 0);
        throw error;
      });
      budget.settle(reservation, found.cost, found.rounds.length);
      const { id, values, isExact, shots: used, cost, notes } = found;
      const structured = { estimation: id, values: plain(values), isExact, shots: used, cost, notes };
      return { structured: { ...structured, left: budget.left }, picture: found.toSVG() };
    },
    spends,
  );

  tool(
    "job",
    "Returns the status and cost of a job.",
    { job: given.job },
    jobAnswer,
    async ({ job: name }) => {
      const job = await ketbook.job(name);
      budget.settleJob(job);
      return { structured: picked(job.record, jobAnswer) };
    },
  );

  tool(
    "result",
    "Waits for a job and returns its outcomes with 95% intervals, and their chart.",
    { job: given.job, waitSeconds },
    outcomesAnswer,
    async ({ job, waitSeconds }) => finished(await ketbook.job(job), waitSeconds, budget),
  );
}

function pricesOf({ pricing, qrn }: Device) {
  const { perTask = null, perShot = null, perMinute = null } = pricing ?? {};
  const isPrice = (price: unknown): price is number => Number.isFinite(price) && Number(price) >= 0;
  if (!isPrice(perTask) || !isPrice(perShot) || !isPrice(perMinute))
    throw new KetbookError(
      `Not submitted: the service does not say what ${qrn} costs, so no limit can be kept.`,
    );
  return { perTask, perShot, perMinute };
}

/**
 * Returns the credits that a job may cost at most, by the device's prices: a quote is not a limit, since services charge for
 * the time that a job takes. Of a simulator that is ten minutes, of a QPU the schedule of all shots with a margin.
 */
async function highestCost(program: QasmProgram, device: Device, shots: number): Promise<number> {
  const { perTask, perShot, perMinute } = pricesOf(device);
  const fixed = perTask + perShot * shots;
  if (perMinute === 0) return fixed;
  if (device.deviceType === "SIMULATOR") return fixed + perMinute * RESERVED_MINUTES;
  const { duration } = await transpile(program, device);
  if (duration === null)
    throw new KetbookError(
      "Not submitted: the device charges for time, and it is not known how long a shot of this program takes.",
    );
  const seconds = JOB_SECONDS + shots * (duration / 1e9 + RESET_SECONDS);
  return fixed + (perMinute * seconds) / 60;
}
