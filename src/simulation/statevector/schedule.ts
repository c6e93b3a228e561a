import type { Step } from "./gate-fuser.ts";

/** Steps that are looked at to choose the positions of a tile. */
const LOOK_AHEAD = 600;

/** A set of positions that a tile holds, and the steps that can be done within such tiles, in order. */
export interface Pass {
  /** The positions of a tile, as a mask. */
  readonly tile: number;
  readonly steps: Step[];
  /** What is left, in order. */
  readonly rest: Step[];
}

/** The positions on which later steps depend: changed ones for every step, used ones for steps that change them. */
class Dependencies {
  changed = 0;
  used = 0;

  /** Whether a step has nothing to wait for. */
  isFree(step: Step): boolean {
    if (step.kind === "phase") return (step.mask & this.changed) === 0;
    const bit = 1 << step.position;
    if (bit & (this.changed | this.used)) return false;
    return step.kind === "rotation" || (step.mask & this.changed) === 0;
  }

  /** Makes later steps wait for one. */
  add(step: Step): void {
    if (step.kind === "phase") this.used |= step.mask;
    else {
      this.changed |= 1 << step.position;
      if (step.kind === "transform") this.used |= step.mask;
    }
  }
}

/** Chooses the positions that let most steps through, the lowest `rowBits` always among them, and takes these steps. */
export function nextPass(
  steps: readonly Step[],
  numPositions: number,
  tileBits: number,
  rowBits: number,
): Pass {
  const everything = 2 ** numPositions - 1;
  if (numPositions <= tileBits) return { tile: everything, steps: [...steps], rest: [] };
  let tile = 2 ** rowBits - 1;
  for (let size = rowBits; size < tileBits; size++) {
    let best = -1;
    let bestCount = -1;
    for (let position = rowBits; position < numPositions; position++) {
      const bit = 1 << position;
      if (tile & bit) continue;
      const count = countReachable(steps, tile | bit, everything);
      if (count > bestCount) {
        best = bit;
        bestCount = count;
      }
    }
    tile |= best;
  }
  const taken: Step[] = [];
  const rest: Step[] = [];
  const dependencies = new Dependencies();
  for (const step of steps) {
    if (dependencies.isFree(step) && (step.kind === "phase" || (tile >> step.position) & 1)) taken.push(step);
    else {
      dependencies.add(step);
      rest.push(step);
    }
  }
  return { tile, steps: taken, rest };
}

/** Counts the steps that change bits and can be done in a tile. */
function countReachable(steps: readonly Step[], tile: number, everything: number): number {
  const dependencies = new Dependencies();
  let count = 0;
  for (let i = 0; i < Math.min(steps.length, LOOK_AHEAD); i++) {
    const step = steps[i]!;
    if (dependencies.isFree(step) && (step.kind === "phase" || (tile >> step.position) & 1)) {
      if (step.kind !== "phase") count++;
    } else {
      dependencies.add(step);
      if (dependencies.changed === everything) break;
    }
  }
  return count;
}

/** Steps that can be done one after the other, or, if they are phases, together. */
export interface Layer {
  readonly kind: "changes" | "phases";
  readonly steps: Step[];
}

/** Returns alternating layers: all changes of bits that depend on no pending phase, and all phases that depend on no pending change. */
export function layers(steps: readonly Step[]): Layer[] {
  // Even layers are changes, odd ones phases.
  const layers: Layer[] = [];
  const changed = new Int32Array(32);
  const used = new Int32Array(32);
  for (const step of steps) {
    const isPhase = step.kind === "phase";
    const mask = step.kind === "rotation" ? 0 : step.mask;
    let layer = isPhase ? 1 : Math.max(changed[step.position]!, used[step.position]!);
    for (let rest = mask; rest; rest &= rest - 1) layer = Math.max(layer, changed[positionOf(rest)]!);
    layer = isPhase ? layer | 1 : (layer + 1) & ~1;
    for (let rest = mask; rest; rest &= rest - 1) {
      const position = positionOf(rest);
      used[position] = Math.max(used[position]!, layer);
    }
    if (!isPhase) changed[step.position] = layer;
    while (layers.length <= layer) layers.push({ kind: layers.length % 2 ? "phases" : "changes", steps: [] });
    layers[layer]!.steps.push(step);
  }
  return layers.filter(({ steps }) => steps.length > 0);
}

/** Returns the lowest position of a mask. */
const positionOf = (mask: number): number => 31 - Math.clz32(mask & -mask);
