const CHUNK_BYTES = 0x8000;
const encoder = new TextEncoder();

/** Returns how many bytes a string has in UTF-8. */
export const utf8Length = (text: string): number => encoder.encode(text).length;

/** Joins pieces of bytes. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Returns bytes, or those of a string in UTF-8, in base64. */
export function toBase64(data: string | Uint8Array): string {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  let characters = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    characters += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(characters);
}
