import { evaluator, listEvaluator } from "../circuit/evaluate.ts";
import type { Compute, Memory, Value } from "../circuit/memory.ts";
import type { LoopValues } from "../circuit/statement.ts";
import { EvaluationError } from "../errors.ts";

interface Setting {
  readonly slot: number;
  readonly value: Compute;
}

/** Actions around the body of a `for` loop. */
interface Iteration {
  readonly before: readonly Setting[];
  readonly test: Compute;
  readonly each: readonly Setting[];
  readonly advance: Setting;
}

/** Returns what a loop does with its three slots: the value of the round, and two that say how far it is. */
export function iterationOf(slot: number, values: LoopValues): Iteration {
  const [second, third] = [slot + 1, slot + 2];
  if (values.kind === "list") {
    const listOf = ({ slots }: Memory) => slots[second] as readonly Value[];
    return {
      before: [
        { slot: second, value: listEvaluator(values.list) },
        { slot: third, value: () => 0 },
      ],
      test: memory => (memory.slots[third] as number) < listOf(memory).length,
      each: [{ slot, value: memory => listOf(memory)[memory.slots[third] as number]! }],
      advance: { slot: third, value: ({ slots }) => (slots[third] as number) + 1 },
    };
  }
  const step = values.step && evaluator(values.step);
  const stepOf = (memory: Memory) => {
    const value = step ? step(memory) : 1n;
    if (value === 0n) throw new EvaluationError("A range takes steps of zero.", values.at);
    return value;
  };
  return {
    before: [
      { slot, value: evaluator(values.start) },
      { slot: second, value: evaluator(values.stop) },
      { slot: third, value: stepOf },
    ],
    test: ({ slots }) =>
      (slots[third] as bigint) > 0n ? slots[slot]! <= slots[second]! : slots[slot]! >= slots[second]!,
    each: [],
    advance: { slot, value: ({ slots }) => (slots[slot] as bigint) + (slots[third] as bigint) },
  };
}
