import type { Layout } from "./layout.ts";

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

/**
 * Draws a connected graph such that distances in the drawing are like distances in the graph: stress
 * majorization from a circle (E. Gansner, Y. Koren, S. North, Graph Drawing 2004).
 */
export function stressLayout(distances: readonly Uint16Array[]): Layout {
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
