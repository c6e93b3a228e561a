/** Characters up to which a decoder costs more than it saves. */
const SHORT = 64;
const decoder = new TextDecoder();

/** Returns the characters with these codes, all below 128, as a string. */
export function asciiString(codes: Uint8Array, start = 0, end = codes.length): string {
  if (end - start > SHORT) return decoder.decode(codes.subarray(start, end));
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(codes[at]!);
  return text;
}
