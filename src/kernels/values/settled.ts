import { type Displayable, isSettling, type MimeBundle } from "../../display/index.ts";
import { bundleOf } from "../text.ts";

const SETTLE_TIMEOUT_MS = 10_000;

/** Resolves when some promises have settled, or after 10 s. */
export function allSettledWithin(promises: readonly Promise<unknown>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, SETTLE_TIMEOUT_MS);
  void Promise.allSettled(promises).then(() => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

/** Resolves when what is shown of some values has become final, or after 10 s. */
export function allDisplaysSettled(values: readonly Displayable[]): Promise<void> {
  return allSettledWithin(values.filter(isSettling).map(async value => value.settled()));
}

/** The bundle of a value of whatever library; some make theirs asynchronously. Never rejects. */
export async function bundleFrom(value: Displayable): Promise<MimeBundle> {
  try {
    const bundle: unknown = await bundleOf(value);
    if (typeof bundle === "object" && bundle !== null) return bundle as MimeBundle;
    return { "text/plain": `This value could not be shown: its bundle is ${String(bundle)}` };
  } catch (error) {
    return { "text/plain": `This value could not be shown: ${String(error)}` };
  }
}
