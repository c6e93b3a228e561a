import { nextTurn } from "#host";

export interface BatchOptions<Item> {
  maxItems: number;
  /** Batches that are handled at the same time. */
  maxRunning: number;
  /** Returns the size of an item; a batch takes in no more once it has a million. Default: 0. */
  sizeOf?(item: Item): number;
  /** Whether the items of a batch that failed with this error are handled again, each alone. Default: never. */
  isDivisible?(error: unknown): boolean;
}

const MAX_SIZE = 1e6;

/**
 * Makes a function that handles items in batches: those that come while as many batches as may are under way wait, and
 * go together. `handle` resolves to the outcomes of a batch, in order; where it throws, all of its items fail, or each is
 * handled alone, so a bad item does not fail the others.
 */
export function createBatcher<Item, Outcome>(
  handle: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  { maxItems, maxRunning, sizeOf = () => 0, isDivisible = () => false }: BatchOptions<Item>,
): (item: Item) => Promise<Outcome> {
  type Member = { item: Item; outcome: PromiseWithResolvers<Outcome> };
  const waiting: Member[] = [];
  let running = 0;

  function take() {
    let [count, size] = [0, 0];
    for (; count < Math.min(waiting.length, maxItems) && size < MAX_SIZE; count += 1)
      size += sizeOf(waiting[count]!.item);
    return waiting.splice(0, count);
  }

  async function handleBatch(batch: readonly Member[]): Promise<void> {
    try {
      const outcomes = await handle(batch.map(({ item }) => item));
      for (const [at, { outcome }] of batch.entries()) outcome.resolve(outcomes[at]!);
    } catch (error) {
      if (batch.length > 1 && isDivisible(error))
        await Promise.all(batch.map(member => handleBatch([member])));
      else for (const { outcome } of batch) outcome.reject(error);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) await handleBatch(take());
    running -= 1;
  }

  return item => {
    const outcome = Promise.withResolvers<Outcome>();
    waiting.push({ item, outcome });
    if (running < maxRunning) {
      running += 1;
      nextTurn(run);
    }
    return outcome.promise;
  };
}
