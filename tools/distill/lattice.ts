/** Moves points so that the least coordinates are 0. */
export function fromZero(points: readonly [number, number][]): [number, number][] {
  const left = Math.min(...points.map(([x]) => x));
  const top = Math.min(...points.map(([, y]) => y));
  return points.map(([x, y]) => [x - left, y - top]);
}

/** Lays qubits that are numbered row by row out on a square lattice: the next number is to the right, others below. */
export function onLattice(qubits: number, edges: readonly [number, number][]): [number, number][] {
  const points: [number, number][] = [[0, 0]];
  const isPlaced = (qubit: number) => points[qubit] !== undefined;
  for (let round = 0; round < qubits; round++)
    for (const [a, b] of edges) {
      if (isPlaced(a) === isPlaced(b)) continue;
      const [dx, dy] = b === a + 1 ? [1, 0] : [0, 1];
      if (isPlaced(a)) points[b] = [points[a]![0] + dx, points[a]![1] + dy];
      else points[a] = [points[b]![0] - dx, points[b]![1] - dy];
    }
  return fromZero(points);
}
