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
  coupled.forEach((own, k) => {
    const at = coupledAt + k * coupledBytes;
    view.setInt32(at, own.bit, true);
    new Float64Array(view.buffer, at + 8, own.factors.length).set(own.factors);
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
  const places = new Map<string, number[]>();
  const rows = coupled[0]!.factors.length / 2;
  for (let row = 0; row < rows; row++) {
    let key = "";
    for (const { factors } of coupled) key += `${factors[2 * row]} ${factors[2 * row + 1]} `;
    const same = places.get(key);
    if (same) same.push(row);
    else places.set(key, [row]);
  }
  return Uint32Array.from([...places.values()].flat());
}
