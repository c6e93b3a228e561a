const BLOCK_BYTES = 64;
const encoder = new TextEncoder();

/** The first 32 bits of the fractional parts of roots of the first primes. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Uint32Array {
  const found = new Uint32Array(count);
  for (let candidate = 2, at = 0; at < count; candidate++) {
    let divisor = 2;
    while (candidate % divisor !== 0) divisor++;
    if (divisor === candidate) found[at++] = (root(candidate) % 1) * 2 ** 32;
  }
  return found;
}

const ROUND_CONSTANTS = rootsOfPrimes(64, Math.cbrt);
const INITIAL_STATE = rootsOfPrimes(8, Math.sqrt);

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Returns the SHA-256 of bytes, as FIPS 180-4 has it. Browsers' own digests are asynchronous. */
function digest(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = INITIAL_STATE.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += BLOCK_BYTES) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const early = words[at - 15]!;
      const late = words[at - 2]!;
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16]! + first + words[at - 7]! + second;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let at = 0; at < 64; at++) {
      const choice = (e & f) ^ (~e & g);
      const upper =
        (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUND_CONSTANTS[at]! + words[at]!) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const lower = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + upper) | 0, c, b, a, (upper + lower) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at]! += word;
    });
  }
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  for (const [at, word] of state.entries()) out.setUint32(4 * at, word);
  return result;
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");

/** Returns the SHA-256 of a string in UTF-8. */
export const sha256 = (text: string): Uint8Array => digest(encoder.encode(text));

/** Returns the SHA-256 of a string in UTF-8, in hexadecimal digits. */
export const sha256Hex = (text: string): string => hexOf(sha256(text));

/** Returns the SHA-256 of a string in UTF-8, in base64. */
export const sha256Base64 = (text: string): string => btoa(String.fromCharCode(...sha256(text)));

/** Returns the HMAC of a string under a key, with SHA-256, in hexadecimal digits. */
export function hmacSha256Hex(key: string, text: string): string {
  const bytes = encoder.encode(key);
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(bytes.length > BLOCK_BYTES ? digest(bytes) : bytes);
  const keyed = (mask: number, message: Uint8Array) =>
    digest(Uint8Array.from([...block.map(byte => byte ^ mask), ...message]));
  return hexOf(keyed(0x5c, keyed(0x36, encoder.encode(text))));
}

/** Whether two strings of the same length are equal, in constant time. */
export function equalsInConstantTime(first: string, second: string): boolean {
  let difference = first.length ^ second.length;
  for (let at = 0; at < first.length; at++) difference |= first.charCodeAt(at) ^ second.charCodeAt(at);
  return difference === 0;
}
