import { describe, expect, test } from "vitest";
import { locationNoise } from "../../../src/simulation/noise/model-noise.ts";
import { noiseTransferMatrix } from "../../../src/simulation/noise/transfer-matrix.ts";
import { GATE_ERRORS, RELAXATION } from "../../../src/simulation/schedule/locations.ts";
import { figuresOf } from "../schedule/devices.ts";

const DEVICES = ["perth", "auckland", "brisbane", "garnet", "forte"];
const timesOf = (name: string) => {
  const { qubits } = figuresOf(name);
  return { T1: qubits.map(({ T1 }) => T1), T2: qubits.map(({ T2 }) => T2) };
};

/** The average infidelity of a channel, by the trace of its transfer matrix. */
function infidelityOf(qubits: readonly number[], noise: Parameters<typeof noiseTransferMatrix>[1]): number {
  const { starts, columns, entries } = noiseTransferMatrix(qubits, noise);
  let trace = 0;
  for (let row = 0; row + 1 < starts.length; row++)
    for (let at = starts[row]!; at < starts[row + 1]!; at++) if (columns[at] === row) trace += entries[at]!;
  const dimensions = 2 ** qubits.length;
  return 1 - (trace / dimensions + 1) / (dimensions + 1);
}

describe.each(DEVICES)("the noise of the gates of %s", name => {
  const device = figuresOf(name);

  test.each([false, true])("has the published errors with relaxation in it; twirled: %s", isTwirled => {
    const model = { ...timesOf(name), isTwirled };
    device.qubits.forEach(({ gates }, qubit) => {
      for (const { error, length } of Object.values(gates))
        if (error > 0)
          expect(
            infidelityOf([qubit], locationNoise(model, GATE_ERRORS[0], [qubit], [error, length])),
          ).toBeCloseTo(error, 12);
    });
    for (const { a, b, gates } of device.pairs.slice(0, 100))
      for (const { error, length } of Object.values(gates))
        expect(
          infidelityOf([a, b], locationNoise(model, GATE_ERRORS[1], [a, b], [error, length])),
        ).toBeCloseTo(error, 12);
  });
});

test("the Pauli twirl of relaxation has its fidelities", () => {
  const times = timesOf("perth");
  for (const time of [100, 10_000, 1_000_000])
    for (let qubit = 0; qubit < 7; qubit++) {
      const [exact, twirled] = [false, true].map(isTwirled =>
        noiseTransferMatrix([qubit], locationNoise({ ...times, isTwirled }, RELAXATION, [qubit], [time])),
      );
      const diagonalOf = ({ starts, columns, entries }: NonNullable<typeof exact>) =>
        [0, 1, 2, 3].map(row => {
          for (let at = starts[row]!; at < starts[row + 1]!; at++)
            if (columns[at] === row) return entries[at]!;
          return 0;
        });
      diagonalOf(twirled!).forEach((entry, i) => {
        expect(entry).toBeCloseTo(diagonalOf(exact!)[i]!, 12);
      });
      expect(twirled!.isMonomial).toBe(true);
    }
});
