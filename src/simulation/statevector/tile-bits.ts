/** Bits of a tile, and where the positions of the state are among them. */
export interface TileBits {
  readonly tileBits: number;
  /** Bits of an index within a row of a diagonal operation, and of these the ones that select a number of a vector. */
  readonly rowBits: number;
  readonly laneBits: number;
  /** For each position its bit in a tile, or -1, and its bit in the tile's number, or -1. */
  readonly inside: Int32Array;
  readonly outside: Int32Array;
}
