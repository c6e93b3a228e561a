import type { DiagonalTables } from "./diagonal-tables.ts";
import type { PassMemory } from "./pass-memory.ts";

/** Writes what a kernel needs to apply phases. */
export function writeDiagonal(memory: PassMemory, tables: DiagonalTables, numberBytes: 4 | 8): void {
  if (tables.isTrivial) return;
  const { view, doubles } = memory;
  const row = tables.row();
  const rowAt = row ? memory.reals(row, numberBytes) : 0;
  const numbers = tables.factorNumbers;
  const factorsAt = memory.table(8 * numbers);
  tables.writeRowFactors(doubles, factorsAt / 8);
  const coupled = tables.coupledBits();
  const coupledBytes = 8 + 8 * numbers;
  const coupledAt = memory.table(coupled.length * coupledBytes);
  const factorPlaces = coupled.map((bit, k) => {
    const at = coupledAt + k * coupledBytes;
    view.setInt32(at, bit, true);
    tables.writeCoupled(bit, doubles, (at + 8) / 8);
    return (at + 8) / 8;
  });
  const order = coupled.length > 0 ? rowOrder(doubles, factorPlaces, numbers / 2) : new Uint32Array(0);
  const { outside } = tables;
  const outsideAt = memory.table(24 * outside.length + order.byteLength);
  outside.forEach(({ mask, bit, re, im }, k) => {
    const at = outsideAt + 24 * k;
    view.setUint32(at, mask, true);
    view.setInt32(at + 4, bit, true);
    view.setFloat64(at + 8, re, true);
    view.setFloat64(at + 16, im, true);
  });
  new Uint32Array(view.buffer, outsideAt + 24 * outside.length, order.length).set(order);
  memory.record("diagonal", [coupled.length, outside.length, rowAt, factorsAt, coupledAt, outsideAt]);
}

/** Returns the rows in an order in which those with the same factors, which begin at these places, follow each other. */
function rowOrder(factors: Float64Array, places: readonly number[], rows: number): Uint32Array {
  const keys = new Float64Array(rows);
  places.forEach((at, k) => {
    const weight = Math.sqrt(2 + k);
    for (let row = 0; row < rows; row++)
      keys[row]! += weight * (factors[at + 2 * row]! + Math.PI * factors[at + 2 * row + 1]!);
  });
  const numbers = new Map<number, number>();
  const groups = new Uint32Array(rows);
  const ends: number[] = [];
  for (let row = 0; row < rows; row++) {
    const key = keys[row]!;
    let group = numbers.get(key);
    if (group === undefined) {
      group = numbers.size;
      numbers.set(key, group);
      ends.push(0);
    }
    groups[row] = group;
    ends[group]!++;
  }
  for (let group = 1; group < ends.length; group++) ends[group]! += ends[group - 1]!;
  const order = new Uint32Array(rows);
  for (let row = rows - 1; row >= 0; row--) order[--ends[groups[row]!]!] = row;
  return order;
}
