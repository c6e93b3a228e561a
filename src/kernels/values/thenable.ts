/** Whether a value can be awaited. Never throws, whatever the value is. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
  } catch {
    return false;
  }
}
