import type { Circuit, Method } from "../../simulation/index.ts";
import type { CircuitFigures } from "./messages.ts";

const MAX_NOTES = 20;

/** Returns the figures of a job's programs. `shotDurations` are in nanoseconds; simulators have none. */
export function figuresOf(
  circuits: readonly Circuit[],
  methods: readonly Method[],
  shotDurations: readonly number[],
): CircuitFigures {
  return {
    method: [...new Set(methods.map(({ name }) => name))].join(", "),
    ...truncationOf(methods),
    ...unusedNoiseOf(methods),
    circuitNumQubits: Math.max(...circuits.map(circuit => circuit.numQubits)),
    circuitDepth: Math.max(...circuits.map(circuit => circuit.depth())),
    ...(shotDurations.length > 0 ? { shotDuration: Math.max(...shotDurations) / 1000 } : {}),
    ...notesOf(circuits),
  };
}

/** Returns the largest bond, and the least fidelity, of matrix product states. */
function truncationOf(
  methods: readonly Method[],
): Pick<CircuitFigures, "bondDimension" | "estimatedFidelity"> {
  const reports = methods.flatMap(({ truncation }) => truncation ?? []);
  if (reports.length === 0) return {};
  return {
    bondDimension: Math.max(...reports.map(report => report.bondDimension)),
    estimatedFidelity: Math.min(...reports.map(({ fidelity }) => fidelity)),
  };
}

/** Returns which noise acted nowhere in the first program in which any did not. */
function unusedNoiseOf(methods: readonly Method[]): Pick<CircuitFigures, "unusedNoise"> {
  const found = methods.find(({ unusedNoise }) => unusedNoise);
  return found?.unusedNoise ? { unusedNoise: found.unusedNoise } : {};
}

/** Returns what the author should know of how the programs were understood; in a batch with the place of the program. */
function notesOf(circuits: readonly Circuit[]): Pick<CircuitFigures, "diagnostics"> {
  const diagnostics = circuits.flatMap((circuit, program) =>
    circuit.parts.notes.map(note => ({
      severity: "note" as const,
      ...note,
      ...(circuits.length > 1 ? { program } : {}),
    })),
  );
  return diagnostics.length > 0 ? { diagnostics: diagnostics.slice(0, MAX_NOTES) } : {};
}
