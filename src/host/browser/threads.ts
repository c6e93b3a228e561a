/** A thread that helps the one that started it. */
export interface Thread {
  end(): void;
}

/** Returns how many threads a simulation uses: a worker of a browser starts others only once it is idle itself. */
export const processors = (): number => 1;

/** Memory that a page is taken to have, which no browser tells. */
const ASSUMED_BYTES = 2 ** 31;

/** Returns the bytes of memory that are taken to be left. */
export const availableMemory = (): number => ASSUMED_BYTES;

/** Lets other threads go before this one: a browser has no priorities of threads. */
export function lowerPriority(): void {}

/** Throws, since a worker that computes starts no others: their scripts are run once it is idle. */
export function startSimulationThread(_data: object, _onError: () => void): Thread {
  throw new Error("A worker that computes cannot start threads in a browser.");
}
