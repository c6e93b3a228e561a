import { type Engine, methodsOf } from "../catalogue/methods.ts";

const everywhere = ["seed", "memory", "inputs", "noiseModel"];
const emulated = ["noise", "optimizationLevel", "initialLayout", "verbatim", "timing"];
const simulated = ["statevector", "observables", "precision"];

/** Returns the names of a job's options that its engine does not read. */
export function ignoredOptions(engine: Engine, options: object): string[] {
  const read = new Set([...everywhere, ...(engine === "emulator" ? emulated : simulated)]);
  if (methodsOf(engine).some(method => method === "matrix product state")) read.add("maxBondDimension");
  return Object.keys(options).filter(name => !read.has(name));
}
