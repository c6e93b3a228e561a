/** A thread that helps the one that started it. */
export interface Thread {
  end(): void;
}

/** Starts threads on behalf of a worker that computes. */
export interface ThreadStarter {
  /** Number of threads of a simulation. */
  processors: number;
  start(data: object): Thread;
}

let provided: ThreadStarter | undefined;

/**
 * Provides what starts threads. A worker's own would not begin before the worker is idle, when its simulation has ended,
 * so that another one has to start them.
 */
export function provideThreads(starter: ThreadStarter): void {
  provided = starter;
}

/** Returns how many threads a simulation uses: one where none are provided. */
export const processors = (): number => provided?.processors ?? 1;

/** Memory that a page is taken to have, which no browser tells. */
const ASSUMED_BYTES = 2 ** 31;

/** Returns the bytes of memory that are taken to be left. */
export const availableMemory = (): number => ASSUMED_BYTES;

/** Lets other threads go before this one: a browser has no priorities of threads. */
export function lowerPriority(): void {}

/** Asks for a thread that helps this one. Throws an Error where none are provided. */
export function startSimulationThread(data: object, _onError: () => void): Thread {
  if (!provided) throw new Error("No threads are provided.");
  return provided.start(data);
}
