import type { SimulationResult } from "./simulation-result.ts";

/** Makes the counts of a result a property whose keys are written when it is read first. */
export function writeWhenRead(
  result: Pick<SimulationResult, "measurementCounts">,
  entries: () => [string, number][],
): void {
  const define = (descriptor: PropertyDescriptor) =>
    Object.defineProperty(result, "measurementCounts", {
      enumerable: true,
      configurable: true,
      ...descriptor,
    });
  define({
    get() {
      const value = Object.fromEntries(entries());
      define({ value, writable: true });
      return value;
    },
    set(value: unknown) {
      define({ value, writable: true });
    },
  });
}
