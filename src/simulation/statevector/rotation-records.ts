import type { Step } from "./gate-fuser.ts";
import type { PassMemory } from "./pass-memory.ts";
import type { TileBits } from "./tile-bits.ts";

/** A step that rotates one qubit. */
export type Rotation = Step & { kind: "rotation" };

/** Rotations that share one pass over a tile, besides those of lanes. */
const MAX_FUSED = 3;

/**
 * Writes rotations of different positions, those of lanes together with a few others, and returns the product of their
 * cosines.
 */
export function writeRotations(
  memory: PassMemory,
  { inside, laneBits }: TileBits,
  rotations: readonly Rotation[],
): number {
  const bitOf = ({ position }: Rotation) => inside[position]!;
  const sorted = [...rotations].sort((a, b) => bitOf(a) - bitOf(b));
  let lanes = sorted.filter(rotation => bitOf(rotation) < laneBits);
  const write = (group: readonly Rotation[], ofLanes: readonly Rotation[]) => {
    const bits = [0, 1, 2].map(place => (group[place] ? bitOf(group[place]) : 0));
    const tangents = [0, 1, 2].map(place => group[place]?.tangent ?? 0);
    for (const lane of [0, 1]) tangents.push(ofLanes.find(one => bitOf(one) === lane)?.tangent ?? 0);
    const words = [group.length, ...bits, Number(ofLanes.length > 0)];
    memory.record("rotate", words, tangents, 32);
  };
  const others = sorted.filter(one => bitOf(one) >= laneBits);
  const numFirst = lanes.length > 0 ? others.length % MAX_FUSED : 0;
  if (numFirst > 0) {
    write(others.slice(0, numFirst), lanes);
    lanes = [];
  }
  for (let i = numFirst; i < others.length; i += MAX_FUSED) write(others.slice(i, i + MAX_FUSED), []);
  if (lanes.length > 0) write([], lanes);
  return rotations.reduce((product, { cosine }) => product * cosine, 1);
}
