import { bufferOf, instantiate, SIGNAL, SIGNAL_AT, TASK_AT, waitForChange } from "./kernel-memory.ts";

/** Data of a simulator's thread. */
export interface ThreadData {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Its number, from 1. */
  thread: number;
}

/** Helps with the tasks in a shared memory, and waits for the next one; never returns. */
export function helpWithTasks({ module, memory, thread }: ThreadData): never {
  const kernels = instantiate(module, memory);
  const signal = new Int32Array(memory.buffer, SIGNAL_AT, 3);
  for (let turn = 0; ; turn = Atomics.load(signal, SIGNAL.turn)) {
    Atomics.add(signal, SIGNAL.active, 1);
    if (Atomics.load(signal, SIGNAL.open) >= thread) while (kernels.step(TASK_AT, bufferOf(thread)));
    Atomics.sub(signal, SIGNAL.active, 1);
    Atomics.notify(signal, SIGNAL.active);
    waitForChange(signal, SIGNAL.turn, turn);
  }
}
