/** A complex number: a real one, its parts by name, or real and imaginary part. */
export type ComplexNumber =
  | number
  | {
      /** Real part. */
      readonly re: number;
      /** Imaginary part. Default: 0. */
      readonly im?: number;
    }
  | readonly [re: number, im: number];

/** Amplitudes of a state: one an entry, by basis state, or in a typed array with real and imaginary parts interleaved. */
export type GivenAmplitudes =
  | readonly ComplexNumber[]
  | { readonly [basisState: string]: ComplexNumber }
  | Float64Array
  | Float32Array;

const maxQubits = 24;
/** So far from 1 may probabilities sum up: amplitudes are often written with two digits. */
const roundingError = 0.02;

/**
 * Reads amplitudes as real and imaginary parts, interleaved, and normalizes what was rounded. Throws a `RangeError` for
 * what is no state.
 */
export function readAmplitudes(given: GivenAmplitudes): Float64Array {
  const parts = partsOf(given);
  let norm = 0;
  for (const part of parts) norm += part * part;
  if (!(Math.abs(norm - 1) <= roundingError))
    throw new RangeError(
      `the probabilities of a state must sum to 1, but these sum to ${norm.toPrecision(4)}. Divide the amplitudes by ${Math.sqrt(norm).toPrecision(4)}.`,
    );
  return parts.map(part => part / Math.sqrt(norm));
}

function partsOf(given: GivenAmplitudes): Float64Array {
  if (given instanceof Float64Array || given instanceof Float32Array) return Float64Array.from(given);
  if (typeof given !== "object" || given === null)
    throw new RangeError(
      'amplitudes are a list such as [1, 0], or an object such as { "00": 0.7071, "11": 0.7071 }.',
    );
  if (Array.isArray(given)) {
    if (!Number.isInteger(Math.log2(given.length)) || given.length < 2)
      throw new RangeError(`a state of n qubits has 2^n amplitudes, so it cannot have ${given.length}.`);
    return Float64Array.from(given.flatMap((value, index) => complexOf(value, `amplitude ${index}`)));
  }
  const entries = Object.entries(given as { [basisState: string]: ComplexNumber });
  const width = entries[0]?.[0].replace(/^\|(.*)[⟩>]$/, "$1").length ?? 0;
  if (width > maxQubits) throw new RangeError(`a state can have at most ${maxQubits} qubits, not ${width}.`);
  const parts = new Float64Array(2 ** (width + 1));
  for (const [name, value] of entries) {
    const bits = name.replace(/^\|(.*)[⟩>]$/, "$1");
    if (!/^[01]+$/.test(bits) || bits.length !== width)
      throw new RangeError(
        `${JSON.stringify(name.slice(0, 40))} is not a basis state of ${width} qubits. Write a 0 or 1 for each.`,
      );
    parts.set(complexOf(value, name), 2 * Number.parseInt(bits, 2));
  }
  return parts;
}

/** Returns the real and the imaginary part of a number. Throws a `RangeError` that names it for what is none. */
export function complexOf(value: ComplexNumber, name: string): [number, number] {
  const [re, im = 0] =
    typeof value === "number" ? [value] : Array.isArray(value) ? value : [Object(value).re, Object(value).im];
  if (Number.isFinite(re) && Number.isFinite(im)) return [re, im];
  throw new RangeError(`${name} is not a complex number. Use 0.5, [0.5, 0.5] or { re: 0.5, im: 0.5 }.`);
}
