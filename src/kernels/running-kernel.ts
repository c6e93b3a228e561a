import type { DisplayMessage } from "./front-end.ts";

const KERNEL = Symbol.for("ketbook.kernel");

/** Interface of Ketbook's kernel for the library that its cells import, whichever copy that is. */
export interface RunningKernel {
  /** Aborts when the cell that runs now is interrupted; undefined while none runs. */
  interruption(): AbortSignal | undefined;
  /** Keeps the cell from ending, for a while, until a shown value has become final. */
  hold(settled: Promise<unknown>): void;
  /** Shows a bundle as an output of the cell that runs, or ran last. */
  display(message: DisplayMessage, update: boolean): void;
  /** Empties the cell's output, with `wait` when the next one arrives. */
  clear?(wait: boolean): void;
}

/** The Ketbook kernel that this process is, or undefined anywhere else. */
export function runningKernel(): RunningKernel | undefined {
  return (globalThis as { [KERNEL]?: RunningKernel })[KERNEL];
}

/** Makes this process's kernel known to the library. */
export function announceKernel(kernel: RunningKernel): void {
  Object.defineProperty(globalThis, KERNEL, { value: kernel, configurable: true });
}
