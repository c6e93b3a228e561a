const slice = (Buffer.prototype as unknown as { latin1Slice(start?: number, end?: number): string })
  .latin1Slice;

/** Returns the characters with these codes, all below 128, as a string. */
export const asciiString = (codes: Uint8Array, start = 0, end = codes.length): string =>
  slice.call(codes, start, end);
