import type { Layout, Point } from "./layout.ts";

const directions: readonly Point[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 0, y: -1 },
  { x: -1, y: 0 },
];

/** Bends allowed, in the order in which they are tried: drawings with few of them look like devices. */
const bendLimits = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, Number.POSITIVE_INFINITY];
const maxTries = 20_000;

/** Nodes in an order in which each but the first has a neighbour before it, those with most of them next. */
function orderOf(neighbours: readonly (readonly number[])[]): number[] {
  const degrees = neighbours.map(list => list.length);
  const first = degrees.indexOf(Math.max(...degrees));
  const order = [first];
  const placed = new Set(order);
  while (order.length < neighbours.length) {
    let best = -1;
    let score = -1;
    for (const node of order)
      for (const next of neighbours[node]!) {
        if (placed.has(next)) continue;
        const known = neighbours[next]!.filter(other => placed.has(other)).length;
        if (known > score) [best, score] = [next, known];
      }
    order.push(best);
    placed.add(best);
  }
  return order;
}

/**
 * Places a connected graph on a square grid, so that nodes stand side by side exactly when they are joined, with
 * few bends; `undefined` when there is no such place, or none is found soon. `distances` are steps between nodes.
 */
export function gridEmbedding(
  neighbours: readonly (readonly number[])[],
  distances: readonly Uint16Array[],
): Layout | undefined {
  if (neighbours.some(list => list.length > directions.length)) return undefined;
  const order = orderOf(neighbours);
  for (const bends of bendLimits) {
    const layout = search(neighbours, distances, order, bends);
    if (layout) return layout;
  }
  return undefined;
}

/** Looks for a drawing with at most so many bends, by depth-first search. */
function search(
  neighbours: readonly (readonly number[])[],
  distances: readonly Uint16Array[],
  order: readonly number[],
  bends: number,
): Layout | undefined {
  const places: (Point | undefined)[] = new Array(neighbours.length).fill(undefined);
  let tries = 0;

  const fits = (node: number, { x, y }: Point, placed: number): boolean => {
    for (let index = 0; index < placed; index++) {
      const other = order[index]!;
      const steps = Math.abs(places[other]!.x - x) + Math.abs(places[other]!.y - y);
      const apart = distances[node]![other]!;
      if (steps > apart || (apart > 1 && steps < 2) || steps % 2 !== apart % 2) return false;
    }
    return true;
  };

  /** The places beside a neighbour, the one straight on first; others are bends where the neighbour has only two. */
  const candidates = (node: number): { point: Point; bend: number }[] => {
    const anchor = neighbours[node]!.find(next => places[next]);
    if (anchor === undefined) return [{ point: { x: 0, y: 0 }, bend: 0 }];
    const { x, y } = places[anchor]!;
    const back = neighbours[anchor]!.find(next => places[next]);
    const before = back === undefined ? undefined : places[back]!;
    const beside = directions.map(step => {
      const turns = before !== undefined && (step.x !== x - before.x || step.y !== y - before.y);
      return {
        point: { x: x + step.x, y: y + step.y },
        turns: Number(turns),
        bend: Number(turns && neighbours[anchor]!.length === 2),
      };
    });
    return beside.sort((one, other) => one.turns - other.turns);
  };

  const place = (placed: number, left: number): boolean => {
    if (placed === order.length) return true;
    const node = order[placed]!;
    for (const { point, bend } of candidates(node)) {
      if (bend > left) continue;
      if (++tries > maxTries) return false;
      if (!fits(node, point, placed)) continue;
      places[node] = point;
      if (place(placed + 1, left - bend)) return true;
      places[node] = undefined;
    }
    return false;
  };

  return place(0, bends) ? (places as Layout) : undefined;
}
