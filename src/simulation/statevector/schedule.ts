import type { Step } from "./gate-fuser.ts";

/** Steps that are looked at to choose the positions of a tile. */
const LOOK_AHEAD = 600;

/** A set of positions that a tile holds, and the steps that can be done within such tiles, in order. */
export interface Pass {
  /** The positions of a tile, as a mask. */
  readonly tile: number;
  readonly steps: Step[];
  /** Remaining steps, in order. */
  readonly rest: Step[];
}

/**
 * For each step a mask of the positions that it changes, and one of those that it uses; a step waits for one before it
 * that changes what it uses, and one that changes positions for those that use them too.
 */
interface Effects {
  readonly changes: Int32Array;
  readonly uses: Int32Array;
}

function effectsOf(steps: readonly Step[]): Effects {
  const changes = new Int32Array(steps.length);
  const uses = new Int32Array(steps.length);
  steps.forEach((step, i) => {
    if (step.kind !== "phase") changes[i] = 1 << step.position;
    if (step.kind !== "rotation") uses[i] = step.mask;
  });
  return { changes, uses };
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
  const effects = effectsOf(steps);
  let tile = 2 ** rowBits - 1;
  for (let size = rowBits; size < tileBits; size++) {
    let best = -1;
    let bestCount = -1;
    for (let position = rowBits; position < numPositions; position++) {
      const bit = 1 << position;
      if (tile & bit) continue;
      const count = countReachable(effects, tile | bit, everything);
      if (count > bestCount) {
        best = bit;
        bestCount = count;
      }
    }
    tile |= best;
  }
  return { tile, ...taken(steps, effects, own => (own & ~tile) === 0) };
}

/** Takes the steps that can be done before sets of positions meet. */
export function stepsWithin(steps: readonly Step[], sets: readonly number[]): Omit<Pass, "tile"> {
  return taken(steps, effectsOf(steps), (own, others) => sets.some(set => ((own | others) & ~set) === 0));
}

/** Takes the steps that may be done, by the positions that they change and use, and that wait for none that may not. */
function taken(
  all: readonly Step[],
  { changes, uses }: Effects,
  mayDo: (changes: number, uses: number) => boolean,
): Omit<Pass, "tile"> {
  const steps: Step[] = [];
  const rest: Step[] = [];
  let changed = 0;
  let used = 0;
  all.forEach((step, i) => {
    const [own, others] = [changes[i]!, uses[i]!];
    if ((own & (changed | used)) === 0 && (others & changed) === 0 && mayDo(own, others)) steps.push(step);
    else {
      changed |= own;
      used |= others;
      rest.push(step);
    }
  });
  return { steps, rest };
}

/** Counts the steps that change bits and can be done in a tile. */
function countReachable({ changes, uses }: Effects, tile: number, everything: number): number {
  const end = Math.min(changes.length, LOOK_AHEAD);
  let changed = 0;
  let used = 0;
  let count = 0;
  for (let i = 0; i < end; i++) {
    const own = changes[i]!;
    const others = uses[i]!;
    if ((own & (changed | used | ~tile)) === 0 && (others & changed) === 0) {
      if (own) count++;
    } else {
      used |= others;
      changed |= own;
      if (changed === everything) break;
    }
  }
  return count;
}

/** Steps that can be done one after the other, or, if they are phases, together. */
interface Layer {
  readonly kind: "changes" | "phases";
  readonly steps: Step[];
}

/** Returns layers of steps that can be done one after the other: every step as early as it can be. */
export function layers(steps: readonly Step[]): Layer[] {
  // Even layers are changes, odd ones phases.
  const all: Layer[] = [];
  earliestLayers(steps).forEach((layer, i) => {
    while (all.length <= layer) all.push({ kind: all.length % 2 ? "phases" : "changes", steps: [] });
    all[layer]!.steps.push(steps[i]!);
  });
  return merged(all);
}

/** Returns the first layer of each step: an even number for changes, an odd one for phases. */
function earliestLayers(steps: readonly Step[]): Int32Array {
  const changed = new Int32Array(32);
  const used = new Int32Array(32);
  return Int32Array.from(steps, step => {
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
    return layer;
  });
}

/** Leaves out layers without steps, and puts changes together between which there are no phases. */
function merged(all: readonly Layer[]): Layer[] {
  const layers: Layer[] = [];
  for (const layer of all) {
    const last = layers.at(-1);
    if (layer.steps.length > 0 && layer.kind === last?.kind) last.steps.push(...layer.steps);
    else if (layer.steps.length > 0) layers.push(layer);
  }
  return layers;
}

/** Returns the lowest position of a mask. */
const positionOf = (mask: number): number => 31 - Math.clz32(mask & -mask);
