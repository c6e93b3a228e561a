import type { MemoryRange } from "../circuit/statement.ts";
import type { Lifetime } from "./instruction.ts";

/** Slots and bits with all their lifetimes. */
export interface MemoryUse extends MemoryRange {
  readonly lifetimes: Lifetime[];
}

/** Groups lifetimes by their memory, the larger before what is part of it. */
export function memoryUses(lifetimes: readonly Lifetime[]): MemoryUse[] {
  const uses = new Map<string, MemoryUse>();
  for (const lifetime of lifetimes) {
    const { slots, bits } = lifetime.memory;
    const key = `${slots} ${bits}`;
    const use = uses.get(key);
    if (use) use.lifetimes.push(lifetime);
    else uses.set(key, { slots, bits, lifetimes: [lifetime] });
  }
  return [...uses.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
}

const sizeOf = ({ slots, bits }: MemoryRange): number => slots[1] - slots[0] + bits[1] - bits[0];
