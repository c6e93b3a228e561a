import type { BlochVector } from "./reduced.ts";

/** Returns how entangled a qubit of a pure state is with the others: the entropy of its reduced state, 0 to 1 bit. */
export function entanglementOf({ x, y, z }: BlochVector): number {
  const likely = Math.min(1, (1 + Math.hypot(x, y, z)) / 2);
  const term = (p: number) => (p < 1e-12 ? 0 : -p * Math.log2(p));
  return term(likely) + term(1 - likely);
}
