import { bitsOf, type Type, wrap } from "./types.ts";

/** Operators on the bits of whole numbers. */
export const BITWISE = {
  "&": (a: bigint, b: bigint) => a & b,
  "|": (a: bigint, b: bigint) => a | b,
  "^": (a: bigint, b: bigint) => a ^ b,
};

/** Shifts the bits of a whole number up, those of its type kept. */
export function shiftLeft(value: bigint, by: bigint, type: Type): bigint {
  checkShift(by);
  return by >= bitsOf(type) ? 0n : wrap(value << by, type);
}

/** Shifts the bits of a whole number down. */
export function shiftRight(value: bigint, by: bigint, type: Type): bigint {
  checkShift(by);
  const width = BigInt(bitsOf(type));
  return value >> (by < width ? by : width);
}

function checkShift(by: bigint): void {
  if (by < 0n) throw new RangeError(`The bits are shifted by ${by}; shift them the other way instead.`);
}

/** Arithmetic of whole numbers. */
export const INTEGER = {
  "+": (a: bigint, b: bigint) => a + b,
  "-": (a: bigint, b: bigint) => a - b,
  "*": (a: bigint, b: bigint) => a * b,
  "/": (a: bigint, b: bigint) => {
    if (b === 0n) throw new RangeError("A whole number is divided by zero.");
    return a / b;
  },
  "%": (a: bigint, b: bigint) => {
    if (b === 0n) throw new RangeError("A whole number is divided by zero.");
    return a % b;
  },
  "**": (a: bigint, b: bigint) => {
    if (b < 0n) throw new RangeError("A whole number is raised to a negative power.");
    let result = 1n;
    let base = a;
    for (let rest = b; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = BigInt.asIntN(WORK_WIDTH, result * base);
      base = BigInt.asIntN(WORK_WIDTH, base * base);
    }
    return result;
  },
};

/** Bits that are kept of a power while it is computed; more than any width that is given to numbers. */
const WORK_WIDTH = 1024;
