import { inspect } from "#host";
import {
  type Displayable,
  displayMetadata,
  isSettling,
  jupyterDisplay,
  type MimeBundle,
  pictureMarkup,
  plainForm,
  visible,
} from "../display/index.ts";
import { attempted } from "../host/attempted.ts";

/** The bundle of a value, or a string that says why there is none. Never throws. */
export function bundleOf(value: Displayable): MimeBundle {
  try {
    return value[jupyterDisplay]();
  } catch (error) {
    const reason = error instanceof Error ? error.message : inspect(error);
    return { "text/plain": `This value could not be shown: ${reason}` };
  }
}

/** Returns the metadata of a value's bundle, by mime type. Never throws. */
export const metadataOf = (value: Displayable): MimeBundle =>
  attempted(() => value[displayMetadata]?.()) ?? {};

/** Returns the markup of a picture for the middle of other markup; nothing where it has none. Never throws. */
export const markupOf = (value: Displayable): string | undefined => attempted(() => value[pictureMarkup]?.());

/** The text form of a value, safe to print anywhere. */
export function plainText(value: Displayable): string {
  const text = attempted(() => value[plainForm]?.()) ?? bundleOf(value)["text/plain"];
  return visible(typeof text === "string" ? text : inspect(value, { customInspect: false }));
}

const SETTLE_TIMEOUT_MS = 10_000;

/** Resolves to the value of a promise, or to undefined where that takes longer than some time. */
export function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, milliseconds, undefined);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Resolves when some promises have settled, or after 10 s. */
export const allSettledWithin = (promises: readonly Promise<unknown>[]): Promise<unknown> =>
  within(Promise.allSettled(promises), SETTLE_TIMEOUT_MS);

/** Resolves when what is shown of some values has become final, or after 10 s. */
export const allDisplaysSettled = (values: readonly Displayable[]): Promise<unknown> =>
  allSettledWithin(values.filter(isSettling).map(async value => value.settled()));

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

/** Whether a value can be awaited. Never throws, whatever the value is. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof attempted(() => (value as PromiseLike<unknown> | null | undefined)?.then) === "function";
