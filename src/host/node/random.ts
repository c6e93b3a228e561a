import { randomFillSync, randomInt } from "node:crypto";

/** Random bytes that are drawn together, as each draw takes long, and how many of them are used. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Returns so many random bytes that nobody can guess, in hexadecimal digits. */
export function randomHex(bytes: number): string {
  if (bytes > pool.length)
    throw new RangeError(`No more than ${pool.length} random bytes are drawn at once.`);
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const digits = pool.toString("hex", used, used + bytes);
  pool.fill(0, used, used + bytes);
  used += bytes;
  return digits;
}

/** Returns a random whole number from 0 to 2^32 − 1. */
export const randomUint32 = (): number => randomInt(2 ** 32);
