import type { ProgressPort } from "./messages.ts";

/** Bytes of the memory that a run shares with the thread that waits for it: a flag that stops it, how far it is, and when it began. */
export const CONTROL_BYTES = 16;

const BEGUN = 1;
const COMPILED = 2;

const cellsOf = (control: SharedArrayBuffer) => new Int32Array(control, 0, 2);
const timeOf = (control: SharedArrayBuffer) => new Float64Array(control, 8, 1);

/** Progress of a run. */
export interface RunReport {
  /** Time when its thread began, by this thread's monotonic clock; undefined before that. */
  startedAt: number | undefined;
  /** Finished share, 0 to 1; undefined until its programs are compiled. */
  fraction: number | undefined;
}

/** Stops a run. */
export function stopRun(control: SharedArrayBuffer): void {
  Atomics.store(cellsOf(control), 0, 1);
}

/** Returns what says whether a run is to stop. */
export function stopSignal(control: SharedArrayBuffer): { readonly aborted: boolean } {
  const cells = cellsOf(control);
  return {
    get aborted() {
      return Atomics.load(cells, 0) !== 0;
    },
  };
}

/** Makes a port that writes a run's reports to the memory that it shares, so that no thread is woken for each. */
export function openControlPort(control: SharedArrayBuffer): ProgressPort {
  const cells = cellsOf(control);
  return {
    postMessage(fraction) {
      if (fraction < 0) timeOf(control)[0] = performance.timeOrigin + performance.now();
      Atomics.store(cells, 1, fraction < 0 ? BEGUN : COMPILED + Math.round(fraction * 1000));
    },
    close() {},
  };
}

/** Reads how far a run is from the memory that it shares. */
export function readReport(control: SharedArrayBuffer): RunReport {
  const report = Atomics.load(cellsOf(control), 1);
  return {
    startedAt: report < BEGUN ? undefined : timeOf(control)[0]! - performance.timeOrigin,
    fraction: report < COMPILED ? undefined : (report - COMPILED) / 1000,
  };
}
