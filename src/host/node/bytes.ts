/** Returns how many bytes a string has in UTF-8. */
export const utf8Length = (text: string): number => Buffer.byteLength(text);

/** Joins pieces of bytes. */
export const concatBytes = (pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces);

/** Returns bytes, or those of a string in UTF-8, in base64. */
export const toBase64 = (data: string | Uint8Array): string =>
  (typeof data === "string"
    ? Buffer.from(data)
    : Buffer.from(data.buffer, data.byteOffset, data.length)
  ).toString("base64");
