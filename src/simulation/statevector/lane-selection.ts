import { type Condition, narrow } from "./condition.ts";
import type { QubitLayout } from "./qubit-layout.ts";

/** A qubit, and the value that a gate wants of it. */
export interface QubitValue {
  readonly qubit: number;
  readonly value: number;
}

/** Lanes, and the amplitudes in them that a gate acts on. */
export interface LaneSelection extends Condition {
  readonly lanes: readonly number[];
}

/** Returns the lanes and amplitudes in which qubits have values; `positionFor` returns the position of one that is not classical. */
export function selectLanes(
  wanted: readonly QubitValue[],
  lanes: readonly number[],
  layout: QubitLayout,
  laneValues: readonly Uint8Array[],
  positionFor: (qubit: number) => number,
): LaneSelection[] {
  let selections: LaneSelection[] = [{ mask: 0, on: 0, lanes }];
  for (const { qubit, value } of wanted) {
    const isClassical = layout.isClassical(qubit);
    const position = isClassical ? -1 : positionFor(qubit);
    const isOwn = layout.positionOf(qubit) >= 0;
    const values = laneValues[qubit]!;
    selections = selections.flatMap(selection =>
      (isOwn ? [0] : [0, 1]).flatMap(inverted => {
        if (isClassical && inverted !== value) return [];
        const within = isOwn ? selection.lanes : selection.lanes.filter(lane => values[lane] === inverted);
        const condition = isClassical ? selection : narrow(selection, position, value ^ inverted);
        return condition && within.length > 0
          ? [{ mask: condition.mask, on: condition.on, lanes: within }]
          : [];
      }),
    );
  }
  return selections;
}
