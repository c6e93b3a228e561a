/** Bounds of a JSON text. */
export interface JsonBounds {
  /** Objects and lists inside of each other. */
  maxDepth: number;
  /** Values, names of members included. */
  maxValues: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** The codes of `[` and `{`, and of `]` and `}`, but for the bit in which they differ. */
const OPENING = 0x5b;
const CLOSING = 0x5d;
const BRACKET_BITS = 0xdf;

/**
 * Makes a guard that is shown a JSON text piece by piece as it comes in, and says which bound it breaks, before any
 * of it is parsed; `undefined`: none so far.
 */
export function guardJson({ maxDepth, maxValues }: JsonBounds): (piece: Uint8Array) => string | undefined {
  let values = 1;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  return piece => {
    for (let at = 0; at < piece.length; at += 1) {
      let byte = piece[at]!;
      if (isEscaped) isEscaped = false;
      else if (isString) {
        while (byte !== QUOTE && byte !== BACKSLASH && at + 1 < piece.length) {
          at += 1;
          byte = piece[at]!;
        }
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
      } else if (byte === QUOTE) isString = true;
      else if (byte === COMMA) values += 1;
      else if ((byte & BRACKET_BITS) === OPENING) {
        values += 1;
        depth += 1;
        if (depth > maxDepth) return `must not be deeper than ${maxDepth} levels`;
      } else if ((byte & BRACKET_BITS) === CLOSING) depth -= 1;
    }
    return values > maxValues ? `must not hold more than ${maxValues} values` : undefined;
  };
}
