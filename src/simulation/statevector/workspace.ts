import { kernelModule, startSimulationThread, type Thread } from "#host";
import { MemoryLimitError } from "../errors.ts";
import { remembered } from "../memoized.ts";
import {
  bufferOf,
  HEAP_AT,
  instantiate,
  type Kernels,
  MAX_THREADS,
  SIGNAL,
  SIGNAL_AT,
  TASK_AT,
  waitForChange,
} from "./kernel-memory.ts";

const PAGE = 65536;
const MAX_BYTES = 65536 * PAGE;
/** A memory that has grown beyond this is given back once nothing lies in it. */
const KEPT_BYTES = 2 ** 29;

interface Region {
  readonly at: number;
  readonly bytes: number;
}

/** A memory that kernels and threads share, and what lies in it. */
export class Workspace {
  readonly memory = new WebAssembly.Memory({
    initial: HEAP_AT / PAGE,
    maximum: MAX_BYTES / PAGE,
    shared: true,
  });
  readonly kernels: Kernels;
  readonly #module: WebAssembly.Module;
  readonly #used: Region[] = [];
  readonly #threads: Thread[] = [];
  /** Whether threads cannot be started here. */
  #isSingleThreaded = false;

  /** Makes a memory for kernels of plain SIMD, or for the fastest. */
  constructor(isPlain: boolean) {
    this.#module = kernelModule(isPlain);
    this.kernels = instantiate(this.#module, this.memory);
  }

  /** Finds room for the given number of bytes. Throws a MemoryLimitError where there is none. */
  allocate(bytes: number): number {
    const needed = Math.ceil(bytes / PAGE) * PAGE;
    let at = HEAP_AT;
    let place = 0;
    for (; place < this.#used.length; place++) {
      const region = this.#used[place]!;
      if (region.at - at >= needed) break;
      at = region.at + region.bytes;
    }
    const missing = at + needed - this.memory.buffer.byteLength;
    if (at + needed > MAX_BYTES || (missing > 0 && !grow(this.memory, Math.ceil(missing / PAGE))))
      throw new MemoryLimitError(
        `There is no room for ${Math.ceil(bytes / 2 ** 20).toLocaleString("en-US")} MiB of amplitudes more in the simulator's memory of 4,096 MiB.`,
      );
    this.#used.splice(place, 0, { at, bytes: needed });
    return at;
  }

  free(at: number): void {
    const place = this.#used.findIndex(region => region.at === at);
    if (place >= 0) this.#used.splice(place, 1);
    if (this.#used.length > 0 || this.memory.buffer.byteLength <= KEPT_BYTES) return;
    for (const [kind, space] of current) if (space === this) current.delete(kind);
    for (const thread of this.#threads) thread.end();
  }

  /**
   * Does a task of `tickets` tickets on at most `threads` threads, of which this is one. `onTicket` is called after each
   * ticket that this thread has done, with how many were begun; what it throws stops the task.
   */
  run(tickets: number, threads: number, onTicket: (ticket: number) => void): void {
    const signal = new Int32Array(this.memory.buffer, SIGNAL_AT, 3);
    const task = new Uint32Array(this.memory.buffer, TASK_AT, 2);
    task[0] = 0;
    task[1] = tickets;
    const isShared = threads > 1 && tickets > 1;
    if (isShared) {
      this.#start(Math.min(threads, MAX_THREADS) - 1);
      Atomics.store(signal, SIGNAL.open, threads - 1);
      Atomics.add(signal, SIGNAL.turn, 1);
      Atomics.notify(signal, SIGNAL.turn);
    }
    try {
      while (this.kernels.step(TASK_AT, bufferOf(0))) onTicket(Math.min(Atomics.load(task, 0), tickets));
    } finally {
      if (isShared) {
        Atomics.store(task, 0, tickets);
        Atomics.store(signal, SIGNAL.open, 0);
        for (
          let active = Atomics.load(signal, SIGNAL.active);
          active > 0;
          active = Atomics.load(signal, SIGNAL.active)
        )
          waitForChange(signal, SIGNAL.active, active);
      }
    }
  }

  /** Starts threads; where none may be started, or one fails, this thread does their work too. */
  #start(threads: number): void {
    while (this.#threads.length < threads && !this.#isSingleThreaded) {
      const data = { module: this.#module, memory: this.memory, thread: this.#threads.length + 1 };
      try {
        this.#threads.push(
          startSimulationThread(data, () => {
            this.#isSingleThreaded = true;
          }),
        );
      } catch {
        this.#isSingleThreaded = true;
      }
    }
  }
}

function grow(memory: WebAssembly.Memory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}

const current = new Map<boolean, Workspace>();

/** Returns this thread's workspace for kernels of plain SIMD, or for the fastest. */
export const workspace = (isPlain: boolean): Workspace =>
  remembered(current, isPlain, () => new Workspace(isPlain));
