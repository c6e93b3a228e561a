/** The real and the imaginary parts of amplitudes, and how many of them are in use. */
export interface Planes {
  re: Float64Array;
  im: Float64Array;
  size: number;
}
