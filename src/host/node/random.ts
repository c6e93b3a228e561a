import { randomBytes, randomInt } from "node:crypto";

/** Returns so many random bytes that nobody can guess, in hexadecimal digits. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** Returns a random whole number from 0 to 2^32 − 1. */
export const randomUint32 = (): number => randomInt(2 ** 32);
