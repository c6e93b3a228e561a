import type { Chart } from "../../charts/chart.ts";
import { type BlochOptions, blochChart } from "../../charts/state/bloch.ts";
import type { BlochVector } from "../../charts/state/reduced.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";

type BlochAngles = { theta: number; phi?: number };

/**
 * Draws qubits in their Bloch spheres, one or a list of them: by vectors, or by angles in radians from |0⟩ and around the
 * z axis. A state draws itself:
 * `result.state.bloch()` or `State.from({ "00": 0.6, "11": 0.8 }).bloch()`.
 *
 * @example
 * ```ts
 * import { bloch } from "ketbook";
 * bloch({ theta: Math.PI / 2, phi: Math.PI / 4 });
 * bloch([{ x: 0, y: 0, z: 1 }, { x: 0.5, y: 0, z: 0 }]);
 * ```
 *
 * @throws KetbookError for another value, a vector longer than 1, and an unknown option.
 */
export function bloch(
  qubits:
    | { theta: number; phi?: number }
    | BlochVector
    | readonly ({ theta: number; phi?: number } | BlochVector)[],
  options?: BlochOptions,
): Chart<BlochOptions> {
  const list = [qubits].flat() as (BlochAngles | BlochVector)[];
  return rethrowAsKetbookError("bloch", () => blochChart(list.map(vectorOf), options));
}

function vectorOf(given: BlochAngles | BlochVector): BlochVector {
  if (typeof given === "object" && given && "theta" in given) {
    const { theta, phi = 0 } = given;
    if (!Number.isFinite(theta) || !Number.isFinite(phi))
      throw new RangeError("theta and phi must be angles in radians.");
    return { x: Math.sin(theta) * Math.cos(phi), y: Math.sin(theta) * Math.sin(phi), z: Math.cos(theta) };
  }
  const { x, y, z } = Object(given) as BlochVector;
  if (![x, y, z].every(Number.isFinite))
    throw new RangeError(
      "Give angles such as { theta: 1, phi: 0 }, or vectors { x, y, z }. Draw amplitudes by State.from(…).bloch().",
    );
  if (Math.hypot(x, y, z) <= 1 + 1e-6) return { x, y, z };
  throw new RangeError(`The Bloch vector (${x}, ${y}, ${z}) is longer than 1. Divide it by its length.`);
}
