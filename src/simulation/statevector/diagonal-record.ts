import type { DiagonalTables } from "./diagonal-tables.ts";
import type { PassMemory } from "./pass-memory.ts";

/** Writes what a kernel needs to apply phases. */
export function writeDiagonal(memory: PassMemory, tables: DiagonalTables, numberBytes: 4 | 8): void {
  if (tables.isTrivial) return;
  const { view } = memory;
  const row = tables.row();
  const rowAt = row ? memory.reals(row, numberBytes) : 0;
  const factors = tables.rowFactors();
  const factorsAt = memory.reals(factors);
  const coupled = tables.coupled();
  const coupledBytes = 8 + 8 * factors.length;
  const coupledAt = memory.table(coupled.length * coupledBytes);
  coupled.forEach(({ bit, factors: own }, k) => {
    const at = coupledAt + k * coupledBytes;
    view.setInt32(at, bit, true);
    memory.doubles.set(own, (at + 8) / 8);
  });
  const order = coupled.length > 0 ? rowOrder(coupled) : new Uint32Array(0);
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

/** Returns the rows in an order in which those with the same factors follow each other. */
function rowOrder(coupled: readonly { factors: Float64Array }[]): Uint32Array {
  const rows = coupled[0]!.factors.length / 2;
  const keys = new Float64Array(rows);
  coupled.forEach(({ factors }, k) => {
    const weight = Math.sqrt(2 + k);
    for (let row = 0; row < rows; row++)
      keys[row]! += weight * (factors[2 * row]! + Math.PI * factors[2 * row + 1]!);
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
