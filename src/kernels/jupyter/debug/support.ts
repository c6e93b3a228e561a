import { type Displayable, isDisplayable } from "../../../display/index.ts";
import { bundleOf, metadataOf } from "../../bundle.ts";
import type { LineColumn } from "../../cells/source-map.ts";
import type { CellRuns } from "../../session/cell-runs.ts";
import { defineGlobal } from "../../session/cell-runtime.ts";
import { plainBundle } from "../../values/plain-value.ts";

/** Support for a debugger in another thread, which calls it through the inspector. */
export type DebugSupport = ReturnType<typeof openDebugSupport>;

interface DebugSupportParts {
  /** Publishes what has been written so far. */
  flush(): void;
  /** The names of the cells' variables, and those under which they are bound. */
  bindings(): (readonly [name: string, binding: string])[];
}

export function openDebugSupport(runs: CellRuns, { flush, bindings }: DebugSupportParts) {
  const hits = new Map<number, number>();
  return {
    flush,
    bindings,
    define: defineGlobal,
    sourceOf: (run: number) => runs.get(run)?.source ?? null,
    placesOf(run: number, places: readonly LineColumn[]) {
      const map = runs.get(run)?.cell.map;
      return places.map(place => map?.placeOf(place) ?? null);
    },
    /** A value as it is shown. */
    bundle: (value: unknown) =>
      isDisplayable(value)
        ? { data: bundleOf(value), metadata: metadataOf(value as Displayable) }
        : { data: plainBundle(value), metadata: {} },
    hit(breakpoint: number) {
      const count = (hits.get(breakpoint) ?? 0) + 1;
      hits.set(breakpoint, count);
      return count;
    },
  };
}
