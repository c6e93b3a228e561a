import { toBase64 } from "#host";

/** Bit strings that are alike but for the bits of a code. */
export interface CodedStrings {
  /** Common pattern of all, with `?` for bits of the code, highest first. */
  readonly pattern: string;
  /** The code of each; one of more than 32 bits takes several words, the highest first. */
  readonly codes: Uint32Array;
}

/** Bit strings that are written when they are read. */
export interface StringReader {
  readonly length: number;
  at(index: number): string;
}

const MAX_PATTERN_LENGTH = 2 ** 22;

/** Maximum number of characters of all that is unpacked at a time. */
export const MAX_CHARACTERS = 2 ** 26;

/** Returns how many bits the codes of a pattern have. */
export const bitsOfPattern = (pattern: string): number => pattern.split("?").length - 1;

const bytesFor = (bits: number) => Math.max(1, Math.ceil(bits / 8));

/** Packs codes: as many whole bytes for each as its bits take, the highest first, in base64. */
export function packCodes({ pattern, codes }: CodedStrings): string {
  const bits = bitsOfPattern(pattern);
  const words = Math.max(1, Math.ceil(bits / 32));
  const width = bytesFor(bits);
  const bytes = new Uint8Array((codes.length / words) * width);
  for (let at = width - 1, last = words - 1; last < codes.length; at += width, last += words)
    for (let byte = 0; byte < width; byte++)
      bytes[at - byte] = codes[last - (byte >> 2)]! >>> (8 * (byte & 3));
  return toBase64(bytes);
}

/** Reads packed codes as the strings that they stand for. Returns null for what are none of this pattern. */
export function readCodes(pattern: string, codes: string): StringReader | null {
  const write = patternWriter(pattern);
  const bytes = decodeBase64(codes);
  const bits = bitsOfPattern(pattern);
  const width = bytesFor(bits);
  if (!write || bytes === null || bytes.length % width > 0) return null;
  const highest = 2 ** (bits - 8 * (width - 1)) - 1;
  for (let at = 0; at < bytes.length; at += width) if (bytes.charCodeAt(at) > highest) return null;
  return {
    length: bytes.length / width,
    at: index => write(byte => bytes.charCodeAt(index * width + byte)),
  };
}

/** Makes a function that writes a code into a pattern, of which it is passed the bytes, the highest first; null for too long a pattern. */
export function patternWriter(pattern: string): ((byteAt: (byte: number) => number) => string) | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return null;
  const pieces = pattern.split("?");
  const bits = pieces.length - 1;
  const width = bytesFor(bits);
  const write = (byte: number, value: number) => {
    const end = bits - 8 * (width - 1 - byte);
    let text = "";
    for (let bit = Math.max(0, end - 8); bit < end; bit++)
      text += pieces[bit]! + ((value >> (end - 1 - bit)) & 1);
    return end === bits ? text + pieces[bits]! : text;
  };
  const written = Array.from({ length: width }, (): string[] => []);
  return byteAt => {
    let text = "";
    for (let byte = 0; byte < width; byte++) {
      const value = byteAt(byte);
      const known = written[byte]!;
      known[value] ??= write(byte, value);
      text += known[value];
    }
    return text;
  };
}

/** Returns the bytes that a string has in base64, a character each, or null where it isn't base64. */
export function decodeBase64(text: string): string | null {
  try {
    return atob(text);
  } catch {
    return null;
  }
}
