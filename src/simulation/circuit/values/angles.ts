import { bitsOf, type Type } from "./types.ts";

const TURN = 2 * Math.PI;

/** Returns the bits of the angle that is nearest to a number of radians, ties going to the even one. */
export function angleOf(radians: number, type: Type): bigint {
  if (!Number.isFinite(radians)) throw new RangeError(`${radians} is not an angle.`);
  const rest = radians % TURN;
  const steps = ((rest < 0 ? rest + TURN : rest) / TURN) * 2 ** bitsOf(type);
  return BigInt.asUintN(bitsOf(type), roundEven(steps));
}

/** Returns the radians of an angle, from 0 to 2π. */
export const radiansOf = (value: bigint, type: Type): number => (Number(value) / 2 ** bitsOf(type)) * TURN;

/** Brings an angle to another number of bits, rounding to the nearest, ties going to the even one. */
export function resizeAngle(value: bigint, from: Type, to: Type): bigint {
  const added = bitsOf(to) - bitsOf(from);
  if (added >= 0) return value << BigInt(added);
  const drop = BigInt(-added);
  const half = 1n << (drop - 1n);
  const kept = value >> drop;
  const rest = value & ((1n << drop) - 1n);
  const isUp = rest > half || (rest === half && (kept & 1n) === 1n);
  return BigInt.asUintN(bitsOf(to), isUp ? kept + 1n : kept);
}

function roundEven(value: number): bigint {
  const down = Math.floor(value);
  const rest = value - down;
  return BigInt(rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down);
}
