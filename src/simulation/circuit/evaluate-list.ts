import { evaluator, indexEvaluator } from "./evaluate.ts";
import type { ValueList } from "./expression.ts";
import type { Compute, Value } from "./memory.ts";

/** Returns the function that computes several values. */
export function listEvaluator(list: ValueList): Compute<readonly Value[]> {
  switch (list.kind) {
    case "constants":
      return () => list.values;
    case "values": {
      const values = list.values.map(evaluator);
      return memory => values.map(run => run(memory));
    }
    case "slots": {
      const run = indexEvaluator(list.slots);
      return memory => run(memory).map(slot => memory.slots[slot]!);
    }
    case "bits": {
      const run = evaluator(list.operand);
      return memory => {
        const value = run(memory) as bigint;
        return Array.from({ length: list.width }, (_, i) => (value >> BigInt(i)) & 1n);
      };
    }
    case "joined": {
      const lists = list.lists.map(listEvaluator);
      return memory => lists.flatMap(run => run(memory));
    }
  }
}
