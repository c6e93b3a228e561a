import { KetbookError } from "../../index.ts";

/** Credits and jobs that a server of tools may spend in its life. */
export interface Caps {
  readonly credits: number;
  readonly jobs: number;
}

/** A part of the caps that a job has taken. */
interface Reservation {
  credits: number;
}

/**
 * Keeps spending within caps. What a job may cost at most is reserved before it is submitted, and replaced by its cost
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
    const taken = [...this.#reserved].reduce((sum, { credits }) => sum + credits, 0);
    return { credits: Math.max(0, this.caps.credits - taken), jobs: this.caps.jobs - this.#reserved.size };
  }

  /** Reserves a job. Throws a `KetbookError` where the caps do not allow it. */
  reserve(credits: number): Reservation {
    const { left } = this;
    if (this.caps.jobs === 0)
      throw new KetbookError(
        "Not submitted: this server only reads. The person who starts it can allow runs with --max-credits.",
      );
    if (left.jobs < 1)
      throw new KetbookError(
        `Not submitted: all of the ${this.caps.jobs} jobs that may run have been submitted.`,
      );
    if (!(credits >= 0 && credits <= left.credits))
      throw new KetbookError(
        `Not submitted: the job may cost up to ${credits} credits, and ${left.credits} of ${this.caps.credits} are left. Use fewer shots, or a device that costs less.`,
      );
    const reservation = { credits };
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

  /** Replaces a reservation by what the job cost. */
  settle(qrn: string, cost: number | null | undefined): void {
    const reservation = this.#known.get(qrn);
    if (reservation && typeof cost === "number" && Number.isFinite(cost) && cost >= 0)
      reservation.credits = cost;
  }
}
