/** A thread that helps the one that started it. */
export interface Thread {
  end(): void;
}

/** Returns how many threads a simulation uses: a worker of a browser starts others only once it is idle itself. */
export const processors = (): number => 1;

/** Throws, since a worker that computes starts no others: their scripts are run once it is idle. */
export function startSimulationThread(_data: object, _onError: () => void): Thread {
  throw new Error("A worker that computes cannot start threads in a browser.");
}
