import { Interrupted } from "../../kernels/errors/interrupted.ts";

/** Knows whether cells have been interrupted, also while they are busy. */
export interface Interrupts {
  /** Returns the number of interrupts. */
  now(): number;
  /** Throws where there has been an interrupt since a moment of {@link Interrupts.now}. */
  throwIfInterrupted(since: number): void;
  /** Begins a run of a cell: a promise that rejects when it is interrupted, and a signal that aborts. */
  begin(): { stopped: Promise<never>; signal: AbortSignal };
  /** Takes in an interrupt. */
  interrupt(): void;
}

/** Opens the interrupts. `requested` counts, in memory shared with the page, those that were asked for. */
export function openInterrupts(requested: Int32Array | undefined): Interrupts {
  let heard = 0;
  let taken = 0;
  let stop: (() => void) | undefined;
  return {
    now: () => taken,
    throwIfInterrupted(since) {
      if (taken > since || (requested && Atomics.load(requested, 0) > heard)) throw new Interrupted();
    },
    begin() {
      const controller = new AbortController();
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      stopped.catch(() => undefined);
      stop = () => {
        controller.abort(new Interrupted());
        reject(controller.signal.reason);
      };
      return { stopped, signal: controller.signal };
    },
    interrupt() {
      if (requested) heard = Atomics.load(requested, 0);
      taken += 1;
      stop?.();
    },
  };
}
