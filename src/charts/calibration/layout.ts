import type { Pair } from "../../display/calibration.ts";
import { gridEmbedding } from "./grid-embedding.ts";
import { stressLayout } from "./stress-layout.ts";

/** A place in steps between neighbours, x to the right and y downwards. */
export interface Point {
  x: number;
  y: number;
}

/** The place of each qubit. */
export type Layout = Point[];

/** Returns steps between every two nodes of a connected graph, by breadth-first search. */
export function distancesOf(neighbours: readonly (readonly number[])[]): Uint16Array[] {
  return neighbours.map((_, start) => {
    const steps = new Uint16Array(neighbours.length).fill(0xffff);
    const queue = [start];
    steps[start] = 0;
    for (const node of queue)
      for (const next of neighbours[node]!)
        if (steps[next] === 0xffff) {
          steps[next] = steps[node]! + 1;
          queue.push(next);
        }
    return steps;
  });
}

/** Returns the connected parts of a graph, each as a list of nodes, the one with the lowest node first. */
function componentsOf(neighbours: readonly (readonly number[])[]): number[][] {
  const visited = new Set<number>();
  return neighbours.flatMap((_, start) => {
    if (visited.has(start)) return [];
    const part = [start];
    visited.add(start);
    for (const node of part)
      for (const next of neighbours[node]!)
        if (!visited.has(next)) {
          visited.add(next);
          part.push(next);
        }
    return [part];
  });
}

/** Sets drawings of parts beside and below each other. */
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

/**
 * Finds places for the nodes of a graph: on a square grid with neighbours side by side where that is possible, as
 * it is for lines, rings, square and heavy-hexagonal lattices; otherwise such that distances in the drawing are
 * like distances in the graph. The same graph is always drawn the same way.
 */
export function layoutOf(nodes: number, pairs: readonly Pair[]): Layout {
  const neighbours: number[][] = Array.from({ length: nodes }, () => []);
  for (const { a, b } of pairs) {
    neighbours[a]!.push(b);
    neighbours[b]!.push(a);
  }
  const parts = componentsOf(neighbours);
  const drawings = parts.map(part => {
    const place = new Map(part.map((node, index) => [node, index]));
    const own = part.map(node => neighbours[node]!.map(next => place.get(next)!));
    const distances = distancesOf(own);
    return normalize(gridEmbedding(own, distances) ?? stressLayout(distances));
  });
  const layout: Layout = new Array(nodes);
  for (const [index, drawing] of packComponents(drawings).entries())
    for (const [place, node] of parts[index]!.entries()) layout[node] = drawing[place]!;
  return layout;
}
