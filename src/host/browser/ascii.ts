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

/** Returns the codes of a string whose characters are all below 128. */
export function asciiCodes(text: string): Uint8Array {
  const codes = new Uint8Array(text.length);
  for (let at = 0; at < codes.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}
