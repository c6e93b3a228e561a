import { KetbookError } from "../../index.ts";

/** Credits and jobs that a server of tools may spend in its life. */
export interface Caps {
  readonly credits: number;
  readonly jobs: number;
}

/** A part of the caps that jobs have taken. */
interface Reservation {
  credits: number;
  jobs: number;
}

/**
 * Keeps spending within caps. What jobs may cost at most is reserved before they are submitted, and replaced by their cost
 * once that is known.
 */
export class Budget {
  readonly caps: Caps;
  readonly #reserved = new Set<Reservation>();
  readonly #known = new Map<string, Reservation>();

  constructor(caps: Caps) {
    this.caps = caps;
  }

  /** Credits and jobs that are left. */
  get left(): Caps {
    let { credits, jobs } = this.caps;
    for (const reservation of this.#reserved) {
      credits -= reservation.credits;
      jobs -= reservation.jobs;
    }
    return { credits: Math.max(0, credits), jobs };
  }

  /** Throws a `KetbookError` if the server only reads. */
  check(): void {
    if (this.caps.jobs === 0)
      throw new KetbookError(
        "Not submitted: this server only reads. The person who starts it can allow runs with --max-credits.",
      );
  }

  /** Reserves jobs. Throws a `KetbookError` if the caps do not allow them. */
  reserve(credits: number, jobs = 1): Reservation {
    this.check();
    const { left } = this;
    if (left.jobs < jobs)
      throw new KetbookError(
        `Not submitted: ${left.jobs} of the ${this.caps.jobs} jobs that may run are left, and this may take ${jobs}.`,
      );
    if (!(credits >= 0 && credits <= left.credits))
      throw new KetbookError(
        `Not submitted: the job may cost up to ${credits} credits, and ${left.credits} of ${this.caps.credits} are left. Use fewer shots, or a device that costs less.`,
      );
    const reservation = { credits, jobs };
    this.#reserved.add(reservation);
    return reservation;
  }

  /** Gives a reservation back, for a job that was surely not made. */
  release(reservation: Reservation): void {
    this.#reserved.delete(reservation);
  }

  /** Says which job a reservation is for. */
  submitted(reservation: Reservation, qrn: string): void {
    this.#known.set(qrn, reservation);
  }

  /** Replaces a reservation by what its jobs cost. */
  settle(of: string | Reservation, cost: number | null | undefined, jobs = 1): void {
    const reservation = typeof of === "string" ? this.#known.get(of) : of;
    if (!reservation || typeof cost !== "number" || !Number.isFinite(cost) || cost < 0) return;
    reservation.credits = cost;
    reservation.jobs = jobs;
  }
}
