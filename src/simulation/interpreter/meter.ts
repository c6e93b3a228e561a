/** Is called with what is done to a state, and throws where that has to end. */
export interface Meter {
  /** Counts one operation that touches so many amplitudes. */
  spend(amplitudes: number): void;
  /** Counts amplitudes that were touched for operations counted before, of which the given share, 0 to 1, is done. */
  work(amplitudes: number, share: number): void;
}
