/** A task is shared with threads; these are its cells, in bytes from its start. */
export const TASK = {
  tickets: 4,
  kind: 8,
  numberBytes: 12,
  target: 16,
  re: 20,
  im: 24,
  position: 28,
  size: 32,
} as const;
/** Cells, four bytes each, by which threads are woken and waited for. */
export const SIGNAL = { turn: 0, open: 1, active: 2 } as const;

/** Address of these cells, and a task. */
export const SIGNAL_AT = 32 * 1024;
export const TASK_AT = SIGNAL_AT + 64;
const BUFFERS_AT = 64 * 1024;
/** Bytes of a thread's own place: a tile, another plane for permutations, and factors. */
const BUFFER_BYTES = 3 * 512 * 1024 + 64 * 1024;
/** The maximum number of threads that share a memory. */
export const MAX_THREADS = 16;
/** Address of a pass's operations, and their size in bytes. */
export const PROGRAM_AT = BUFFERS_AT + MAX_THREADS * BUFFER_BYTES;
export const PROGRAM_BYTES = 64 * 1024 * 1024;
/** Address of the heap for states. */
export const HEAP_AT = PROGRAM_AT + PROGRAM_BYTES;

export interface Kernels {
  step(task: number, buffer: number): number;
  fillTables(...of: number[]): void;
  compactSingle(plane: number, size: number, position: number, bit: number, scale: number): void;
  compactDouble(plane: number, size: number, position: number, bit: number, scale: number): void;
  orderedUniforms(
    to: number,
    count: number,
    keyLow: number,
    keyHigh: number,
    b: number,
    stream: number,
  ): void;
  drawSingle(...of: number[]): void;
  drawDouble(...of: number[]): void;
}

/** Milliseconds for which a thread looks out for a change before it sleeps: to be woken takes about as long. */
const SPIN_MS = 0.2;

/** Waits until a cell has another value. */
export function waitForChange(cells: Int32Array, index: number, value: number): void {
  const end = performance.now() + SPIN_MS;
  while (Atomics.load(cells, index) === value && performance.now() < end);
  Atomics.wait(cells, index, value);
}

/** Returns the place of a thread's own tile. */
export const bufferOf = (thread: number): number => BUFFERS_AT + thread * BUFFER_BYTES;

/** Makes the kernels work on a memory. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const noAbort = () => {
    throw new Error("A kernel was aborted.");
  };
  return new WebAssembly.Instance(module, { env: { memory, abort: noAbort } }).exports as unknown as Kernels;
}
