import type { Pair } from "../../display/index.ts";

/** A place in steps between neighbours, x to the right and y downwards. */
export interface Point {
  x: number;
  y: number;
}

export type Layout = Point[];

const unreached = 0xffff;

/** Returns steps between every two nodes of a connected graph, by breadth-first search. */
export function distancesOf(neighbours: readonly (readonly number[])[]): Uint16Array[] {
  return neighbours.map((_, start) => {
    const steps = new Uint16Array(neighbours.length).fill(unreached);
    const queue = [start];
    steps[start] = 0;
    for (const node of queue)
      for (const next of neighbours[node]!)
        if (steps[next] === unreached) {
          steps[next] = steps[node]! + 1;
          queue.push(next);
        }
    return steps;
  });
}

/** Returns the connected parts of a graph, each as a list of nodes by their distance from its lowest one. */
function componentsOf(distances: readonly Uint16Array[]): number[][] {
  const visited = new Set<number>();
  return distances.flatMap((steps, start) => {
    if (visited.has(start)) return [];
    const part = distances.flatMap((_, node) => (steps[node] === unreached ? [] : [node]));
    for (const node of part) visited.add(node);
    return [part.sort((one, other) => steps[one]! - steps[other]!)];
  });
}

function packComponents(parts: readonly Layout[]): Layout[] {
  const sizes = parts.map(part => ({
    width: Math.max(...part.map(({ x }) => x)) + 1,
    height: Math.max(...part.map(({ y }) => y)) + 1,
  }));
  const area = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  const across = Math.max(Math.ceil(Math.sqrt(area * 1.5)), ...sizes.map(({ width }) => width));
  let [left, top, below] = [0, 0, 0];
  return parts.map((part, index) => {
    const { width, height } = sizes[index]!;
    if (left > 0 && left + width > across) [left, top] = [0, below];
    const moved = part.map(({ x, y }) => ({ x: x + left, y: y + top }));
    left += width;
    below = Math.max(below, top + height);
    return moved;
  });
}

/** Moves a drawing so that it begins at 0, 0 and is not higher than wide. */
function normalize(points: Layout): Layout {
  const [left, top] = [Math.min(...points.map(({ x }) => x)), Math.min(...points.map(({ y }) => y))];
  const moved = points.map(({ x, y }) => ({ x: x - left, y: y - top }));
  const upright = Math.max(...moved.map(({ y }) => y)) > Math.max(...moved.map(({ x }) => x));
  return upright ? moved.map(({ x, y }) => ({ x: y, y: x })) : moved;
}

/** Finds places for nodes: on a square grid where neighbours can be side by side, else by stress. Always the same. */
export function layoutOf(nodes: number, pairs: readonly Pair[]): Layout {
  const neighbours: number[][] = Array.from({ length: nodes }, () => []);
  for (const { a, b } of pairs) {
    neighbours[a]!.push(b);
    neighbours[b]!.push(a);
  }
  const all = distancesOf(neighbours);
  const parts = componentsOf(all);
  const drawings = parts.map(part => {
    const place = new Map(part.map((node, index) => [node, index]));
    const own = part.map(node => neighbours[node]!.map(next => place.get(next)!));
    const distances = part.map(node => Uint16Array.from(part, other => all[node]![other]!));
    return normalize(gridEmbedding(own, distances) ?? stressLayout(distances));
  });
  const layout: Layout = new Array(nodes);
  for (const [index, drawing] of packComponents(drawings).entries())
    for (const [place, node] of parts[index]!.entries()) layout[node] = drawing[place]!;
  return layout;
}

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
  const placed = new Set([degrees.indexOf(Math.max(...degrees))]);
  const known = (node: number) => neighbours[node]!.filter(other => placed.has(other)).length;
  while (placed.size < neighbours.length) {
    const next = [...placed].flatMap(node => neighbours[node]!).filter(node => !placed.has(node));
    placed.add(next.reduce((best, node) => (known(node) > known(best) ? node : best)));
  }
  return [...placed];
}

/** Places a graph on a grid with few bends, only joined nodes side by side; `undefined` if nothing is found soon. */
function gridEmbedding(
  neighbours: readonly (readonly number[])[],
  distances: readonly Uint16Array[],
): Layout | undefined {
  if (neighbours.some(list => list.length > directions.length)) return undefined;
  const order = orderOf(neighbours);
  const places: (Point | undefined)[] = new Array(neighbours.length).fill(undefined);
  let tries = 0;

  const fits = (node: number, { x, y }: Point, placed: number) =>
    order.slice(0, placed).every(other => {
      const steps = Math.abs(places[other]!.x - x) + Math.abs(places[other]!.y - y);
      const apart = distances[node]![other]!;
      return steps <= apart && (apart === 1 || steps >= 2) && steps % 2 === apart % 2;
    });

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

  for (const bends of bendLimits) {
    tries = 0;
    if (place(0, bends)) return places as Layout;
  }
  return undefined;
}

const rounds = 120;

/** Turns a drawing so that it is wider than high, about its middle. */
function turned(points: Layout): Layout {
  const middle = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [cx, cy] = [middle(points.map(({ x }) => x)), middle(points.map(({ y }) => y))];
  let [xx, yy, xy] = [0, 0, 0];
  for (const { x, y } of points) {
    xx += (x - cx) ** 2;
    yy += (y - cy) ** 2;
    xy += (x - cx) * (y - cy);
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(({ x, y }) => ({
    x: (x - cx) * cos + (y - cy) * sin,
    y: (y - cy) * cos - (x - cx) * sin,
  }));
}

/** Stretches a drawing until no two nodes are nearer than a step. */
function spread(points: Layout): Layout {
  let nearest = Number.POSITIVE_INFINITY;
  for (const [index, one] of points.entries())
    for (const other of points.slice(index + 1))
      nearest = Math.min(nearest, Math.hypot(one.x - other.x, one.y - other.y));
  const scale = Math.min(2, Math.max(1, 1 / nearest)) || 1;
  return points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
}

/** Places a graph by stress majorization from a circle (E. Gansner, Y. Koren, S. North, Graph Drawing 2004). */
function stressLayout(distances: readonly Uint16Array[]): Layout {
  const nodes = distances.length;
  const longest = distances[0] ? Math.max(...distances[0]) : 0;
  const radius = Math.max(longest, 1) / 2;
  let points: Layout = Array.from({ length: nodes }, (_, node) => ({
    x: radius * Math.cos((2 * Math.PI * node) / nodes),
    y: radius * Math.sin((2 * Math.PI * node) / nodes) * 0.9,
  }));
  for (let round = 0; round < rounds && nodes > 1; round++)
    points = points.map((point, node) => {
      let [x, y, weights] = [0, 0, 0];
      for (let other = 0; other < nodes; other++) {
        if (other === node) continue;
        const away = distances[node]![other]!;
        const { x: ox, y: oy } = points[other]!;
        const now = Math.hypot(point.x - ox, point.y - oy) || 1e-9;
        const weight = 1 / away ** 2;
        x += weight * (ox + (away * (point.x - ox)) / now);
        y += weight * (oy + (away * (point.y - oy)) / now);
        weights += weight;
      }
      return { x: x / weights, y: y / weights };
    });
  return spread(turned(points));
}
