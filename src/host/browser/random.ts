/** Returns so many random bytes that nobody can guess, in hexadecimal digits. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), byte => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/** Returns a random whole number from 0 to 2^32 − 1. */
export const randomUint32 = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!;
