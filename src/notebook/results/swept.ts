import type { Inputs } from "../programs/inputs.ts";

/** So many inputs are looked at, of programs that somebody else may have written. */
const maxInputs = 16;

/**
 * The inputs that make up the dimensions of a sweep: those whose values differ between its runs, in order, without those
 * that follow from another one, as `phi` does in `{ theta: 0, phi: 0 }, { theta: 1, phi: 2 }`.
 */
export function sweptInputs(runs: readonly Inputs[]): string[] {
  const names = [...new Set(runs.flatMap(inputs => Object.keys(inputs)))].slice(0, maxInputs);
  const columns = new Map(names.map(name => [name, runs.map(inputs => JSON.stringify(inputs[name]) ?? "")]));
  const varying = names.filter(name => new Set(columns.get(name)).size > 1);
  const determines = (one: string, other: string) => isFunction(columns.get(one)!, columns.get(other)!);
  return varying.filter(
    (name, place) =>
      !varying.some(
        (other, before) =>
          other !== name && determines(other, name) && (before < place || !determines(name, other)),
      ),
  );
}

/** Whether equal values of one column stand beside equal values of the other. */
function isFunction(from: readonly string[], to: readonly string[]): boolean {
  const images = new Map<string, string>();
  return from.every((value, row) => {
    const image = images.get(value) ?? to[row]!;
    images.set(value, image);
    return image === to[row];
  });
}
