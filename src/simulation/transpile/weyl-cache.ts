import type { Matrix } from "../linear-algebra/matrix.ts";
import { WEYL_TOLERANCE, type WeylCoordinates, type WeylDecomposition, weylDecomposition } from "./weyl.ts";

const known = new WeakMap<Matrix, WeylDecomposition>();

/** Returns the KAK decomposition of a matrix that is not changed any more, made once. */
export function weylOf(matrix: Matrix): WeylDecomposition {
  let found = known.get(matrix);
  if (!found) {
    found = weylDecomposition(matrix);
    known.set(matrix, found);
  }
  return found;
}

/** Returns the coordinates of a unitary followed by a swap. */
export function mirrored([x, y, z]: WeylCoordinates): WeylCoordinates {
  const quarter = Math.PI / 4;
  const [a, b, c] = [quarter - Math.abs(z), quarter - y, quarter - x];
  return [a, b, z > WEYL_TOLERANCE ? -c : c];
}
