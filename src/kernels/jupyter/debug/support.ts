import { type Displayable, isDisplayable } from "../../../display/index.ts";
import { bundleOf, metadataOf } from "../../bundle.ts";
import type { LineColumn } from "../../cells/source-map.ts";
import type { CellRuns } from "../../session/cell-runs.ts";
import { defineGlobal } from "../../session/cell-runtime.ts";
import { plainBundle } from "../../values/plain-value.ts";

/** Support for a debugger in another thread, which calls it through the inspector. */
export interface DebugSupport {
  /** The source of a cell's run. */
  sourceOf(run: number): string | null;
  /** Places in that source of places in its script. */
  placesOf(run: number, places: readonly LineColumn[]): (LineColumn | null)[];
  /** Publishes what has been written so far. */
  flush(): void;
  /** A value as it is shown. */
  bundle(value: unknown): { data: object; metadata: object };
  /** Counts that a place was reached. */
  hit(breakpoint: number): number;
  /** The names of the cells' variables, and those under which they are bound. */
  bindings(): (readonly [name: string, binding: string])[];
  /** Gives the cells a variable. */
  define(name: string, value: unknown): void;
}

/** Opens what a debugger needs of the cells that have run. */
export function openDebugSupport(
  runs: CellRuns,
  { flush, bindings }: Pick<DebugSupport, "flush" | "bindings">,
): DebugSupport {
  const hits = new Map<number, number>();
  return {
    flush,
    bindings,
    define: defineGlobal,
    sourceOf: run => runs.get(run)?.source ?? null,
    placesOf(run, places) {
      const map = runs.get(run)?.cell.map;
      return places.map(place => map?.placeOf(place) ?? null);
    },
    bundle: value =>
      isDisplayable(value)
        ? { data: bundleOf(value), metadata: metadataOf(value as Displayable) }
        : { data: plainBundle(value), metadata: {} },
    hit(breakpoint) {
      const count = (hits.get(breakpoint) ?? 0) + 1;
      hits.set(breakpoint, count);
      return count;
    },
  };
}
