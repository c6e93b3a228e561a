import { KetbookError } from "../../client/index.ts";

/**
 * Checks a claim of a notebook. It does nothing where the claim holds, and works wherever cells do, in a browser too.
 *
 * @example
 * ```ts
 * import { assert, qasm, run } from "ketbook";
 * const coin = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; h q; c = measure q;`;
 * const { probabilities } = await run(coin).shots(1000).options({ seed: 1 });
 * assert(Math.abs(probabilities["1"] - 0.5) < 5 * Math.sqrt(0.25 / 1000), "a fair coin");
 * ```
 *
 * @param claim - Condition that must hold: any value that counts as true.
 * @param message - What is claimed, in words. Default: none.
 * @throws KetbookError when the claim does not hold.
 */
export function assert(claim: unknown, message?: string): asserts claim {
  if (!claim) throw new KetbookError(message ? `This does not hold: ${message}.` : "A claim does not hold.");
}
