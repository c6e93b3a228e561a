/** A value as pieces of JSON text: what is large is passed on as it was stored, without being read and written again. */
export class JsonText<T> {
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  /** Only for the type of the value. */
  declare readonly value: T;

  constructor(pieces: Iterable<string> | AsyncIterable<string>) {
    this.pieces = pieces;
  }
}
