import type { Step } from "./gate-fuser.ts";
import type { Rotation } from "./rotation-records.ts";
import type { TileBits } from "./tile-bits.ts";

/** The least product of the tangents by which numbers are scaled, so that none becomes subnormal. */
const MIN_PRODUCT = 1e-12;

/**
 * Returns the rotations of a layer of changes that may be done on scaled numbers: those whose bit is 1 are multiplied by
 * the tangent together with the phases of the layer before, and divided by it together with those of the layer after.
 * A rotation is among them where this costs nothing, as both layers have factors for its bits anyway, and where its bit
 * is above those that select lanes.
 */
export function scalableRotations(
  before: readonly Step[],
  changes: readonly Step[],
  after: readonly Step[],
  { inside, rowBits, laneBits }: TileBits,
): Set<Rotation> {
  const scalable = new Set<Rotation>();
  const minBit = Math.max(
    laneBits,
    minScalableBit(before, inside, rowBits),
    minScalableBit(after, inside, rowBits),
  );
  const numChanges = new Uint8Array(inside.length);
  for (const step of changes) if (step.kind !== "phase") numChanges[step.position]!++;
  let product = 1;
  for (const step of changes) {
    if (step.kind !== "rotation" || inside[step.position]! < minBit || numChanges[step.position]! > 1)
      continue;
    const next = product * Math.abs(step.tangent);
    if (next < MIN_PRODUCT) continue;
    product = next;
    scalable.add(step);
  }
  return scalable;
}

/** Returns the lowest bit of a tile from which on a layer of phases has factors. */
function minScalableBit(phases: readonly Step[], inside: Int32Array, rowBits: number): number {
  let min = Number.POSITIVE_INFINITY;
  for (const step of phases) {
    if (step.kind !== "phase") continue;
    const rest = step.mask & (step.mask - 1);
    if (rest & (rest - 1)) continue;
    const low = inside[31 - Math.clz32(step.mask & -step.mask)]!;
    const high = inside[31 - Math.clz32(step.mask)]!;
    min = Math.min(min, rowBits);
    if ((low >= 0 && low < rowBits) || (high >= 0 && high < rowBits)) return 0;
  }
  return min;
}
