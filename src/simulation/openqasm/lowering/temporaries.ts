import type { MemoryRange } from "../../circuit/statement.ts";

/** Memory that a statement uses, and the list that it goes back to. */
interface Temporary {
  readonly memory: MemoryRange;
  readonly free: MemoryRange[] | null;
}

/** Slots that are in use up to the end of a statement, and then free for the next one of the same body. */
export class Temporaries {
  /** By the call whose body it is, or null for the program, and by the kind of memory. */
  readonly #free = new Map<object | null, Map<string, MemoryRange[]>>();
  #taken: Temporary[] = [];

  /** Takes memory of a kind that an earlier statement of the body has freed, or else what `reserve` returns. */
  take(body: object | null, kind: string, reserve: () => MemoryRange): MemoryRange {
    const kinds = this.#free.get(body) ?? new Map<string, MemoryRange[]>();
    this.#free.set(body, kinds);
    const free = kinds.get(kind) ?? [];
    kinds.set(kind, free);
    const memory = free.pop() ?? reserve();
    this.#taken.push({ memory, free });
    return memory;
  }

  hold(memory: MemoryRange): void {
    this.#taken.push({ memory, free: null });
  }

  /** Frees what `lower` has taken, and returns what it has used. */
  during(lower: () => void): readonly MemoryRange[] {
    const outer = this.#taken;
    const taken: Temporary[] = [];
    this.#taken = taken;
    try {
      lower();
    } finally {
      this.#taken = outer;
      for (const { memory, free } of taken) free?.push(memory);
    }
    return taken.map(({ memory }) => memory);
  }
}
