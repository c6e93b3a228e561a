import { isTerminalJob } from "../../contract/index.ts";
import { formatNumber } from "../../display/index.ts";
import { type Job, KetbookError } from "../../index.ts";

/** Credits and jobs: all that a server of tools may spend in its life, or what some of its jobs take. */
export interface Amount {
  credits: number;
  jobs: number;
}

/**
 * Keeps spending within caps. What jobs may cost at most is reserved before they are submitted, and replaced by their cost
 * once that is known.
 */
export class Budget {
  readonly caps: Readonly<Amount>;
  /** Amounts reserved for submitted jobs, by their names. */
  readonly submitted = new Map<string, Amount>();
  readonly #reserved: Amount[] = [];

  constructor(caps: Amount) {
    this.caps = caps;
  }

  get left(): Amount {
    const sum = (of: keyof Amount) => this.#reserved.reduce((total, each) => total + each[of], 0);
    return { credits: Math.max(0, this.caps.credits - sum("credits")), jobs: this.caps.jobs - sum("jobs") };
  }

  /** Reserves jobs. Throws a `KetbookError` if the caps do not allow them. */
  reserve(credits: number, jobs = 1): Amount {
    if (this.caps.jobs === 0)
      throw new KetbookError(
        "Not submitted: this server only reads. The person who starts it can allow runs with --max-credits.",
      );
    const { left } = this;
    if (left.jobs < jobs)
      throw new KetbookError(
        `Not submitted: ${left.jobs} of the ${this.caps.jobs} jobs that may run are left, and this may take ${jobs}.`,
      );
    if (!(credits >= 0 && credits <= left.credits))
      throw new KetbookError(
        `Not submitted: the job may cost up to ${formatNumber(credits)} credits, and ${formatNumber(left.credits)} of ${this.caps.credits} are left. Use fewer shots, or a device that costs less.`,
      );
    const reservation = { credits, jobs };
    this.#reserved.push(reservation);
    return reservation;
  }

  /** Replaces a reservation by the cost of its jobs; 0 credits and jobs return it. */
  settle(reservation: Amount, cost: number | null, jobs = 1): void {
    if (typeof cost !== "number" || !Number.isFinite(cost) || cost < 0) return;
    reservation.credits = cost;
    reservation.jobs = jobs;
  }

  /** Replaces the reservation of a job by its cost, once it has ended: until then a service may say less. */
  settleJob({ qrn, status, cost }: Pick<Job, "qrn" | "status" | "cost">): void {
    const reservation = this.submitted.get(qrn);
    if (reservation && isTerminalJob(status)) this.settle(reservation, cost);
  }
}
