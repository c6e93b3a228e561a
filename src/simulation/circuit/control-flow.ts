import type { GraphBlock } from "./statement.ts";

/** A loop of a control-flow graph: its blocks, and the one block that it is left for; -1 is the end of the graph. */
export interface GraphLoop {
  readonly blocks: ReadonlySet<number>;
  /** Null where it is never left. */
  readonly exit: number | null;
}

/** Returns the blocks that each block leads to; the number of blocks stands for the end of the graph. */
export const successorsOf = (blocks: readonly GraphBlock[]): number[][] =>
  blocks.map(({ edges }) => [...new Set(edges.map(({ to }) => (to < 0 ? blocks.length : to)))]);

/** Lists what is reached from a block in an order in which each block comes before those that it leads to, loops aside. */
export function reversePostorder(first: number, next: (block: number) => readonly number[]): number[] {
  const finished: number[] = [];
  const seen = new Set([first]);
  const path = [{ block: first, rest: [...next(first)] }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const to = top.rest.pop();
    if (to === undefined) {
      finished.push(top.block);
      path.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      path.push({ block: to, rest: [...next(to)] });
    }
  }
  return finished.reverse();
}

/** Returns the loops of a graph by their first blocks, or null where one is entered or left in several places. */
export function loopsOf(successors: readonly (readonly number[])[]): Map<number, GraphLoop> | null {
  const end = successors.length;
  const next = (block: number) => successors[block] ?? [];
  const order = reversePostorder(0, next);
  const place = new Map(order.map((block, i) => [block, i]));
  const predecessors = new Map<number, number[]>();
  for (const block of order)
    for (const to of next(block)) predecessors.set(to, [...(predecessors.get(to) ?? []), block]);
  const loops = new Map<number, GraphLoop>();
  for (const header of order) {
    const open = (predecessors.get(header) ?? []).filter(from => place.get(from)! >= place.get(header)!);
    if (open.length === 0) continue;
    const blocks = new Set([header]);
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      if (blocks.has(block)) continue;
      if (block === order[0]) return null;
      blocks.add(block);
      open.push(...(predecessors.get(block) ?? []));
    }
    const exits = new Set([...blocks].flatMap(next).filter(to => !blocks.has(to)));
    if (exits.size > 1) return null;
    const [exit = null] = exits;
    loops.set(header, { blocks, exit: exit === end ? -1 : exit });
  }
  return loops;
}

/** Returns for each block of an order without loops the next one that every way from it leads through, or -1. */
export function postDominators(
  order: readonly number[],
  next: (block: number) => readonly number[],
): Map<number, number> {
  const place = new Map(order.map((block, i) => [block, i]));
  const joins = new Map<number, number>();
  const common = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      if (x < 0 || y < 0) return -1;
      if (place.get(x)! < place.get(y)!) x = joins.get(x)!;
      else y = joins.get(y)!;
    }
    return x;
  };
  for (const block of order.toReversed()) {
    const [first = -1, ...rest] = next(block);
    joins.set(block, rest.reduce(common, first));
  }
  return joins;
}
