import type { DeviceCalibration, QubitCalibration } from "../../src/contract/calibration.ts";

/** Figures of a qubit; `over` replaces members of them. */
export function qubit(over: Partial<QubitCalibration> = {}): QubitCalibration {
  return {
    T1: 120,
    T2: 80,
    frequency: 5.1,
    readoutError: 0.02,
    prob0Given1: 0.025,
    prob1Given0: 0.015,
    readoutLength: 800,
    gateError: { sx: 0.0003, rz: 0 },
    gateLength: { sx: 35 },
    ...over,
  };
}

/** A calibration of `count` qubits in which each listed pair has its own error of one gate. */
export function calibration(
  count: number,
  pairs: readonly (readonly [number, number, number])[],
  gate = "cz",
): DeviceCalibration {
  return {
    deviceQrn: "aws:emulated:qpu:test",
    provider: "test",
    lastCalibrated: "2026-11-21T08:00:00Z",
    fetchedAt: "2026-11-21T09:00:00Z",
    qubits: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        String(index),
        qubit({ readoutError: 0.01 + index / 1000 }),
      ]),
    ),
    edges: {
      gateError: { [gate]: pairs.map(([source, target, value]) => ({ source, target, value })) },
      gateLength: {},
    },
  };
}

/** A heavy-hexagonal lattice: rows of qubits, joined by single qubits at every fourth place. */
export function heavyHex(rows: number, columns: number) {
  const edges: [number, number][] = [];
  const coordinates: [number, number][] = [];
  let bridges: [column: number, qubit: number][] = [];
  for (let row = 0; row < rows; row++) {
    const first = coordinates.length;
    for (let column = 0; column < columns; column++) coordinates.push([column, 2 * row]);
    for (let column = 0; column + 1 < columns; column++) edges.push([first + column, first + column + 1]);
    for (const [column, bridge] of bridges) edges.push([bridge, first + column]);
    bridges = [];
    for (let column = row % 2 === 0 ? 0 : 2; column < columns && row + 1 < rows; column += 4) {
      bridges.push([column, coordinates.length]);
      edges.push([first + column, coordinates.length]);
      coordinates.push([column, 2 * row + 1]);
    }
  }
  return { qubits: coordinates.length, edges, coordinates };
}
