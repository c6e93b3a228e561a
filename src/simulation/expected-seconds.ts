import { bodiesOf, roundsOf, type StatementList } from "./circuit/statement.ts";
import { compile, type SourceProgram } from "./compile.ts";
import type { SimulationRequest } from "./execution/simulator.ts";
import type { InputValue } from "./openqasm/expressions/inputs.ts";
import { SHOT } from "./plan/costs.ts";
import { rankSimulators } from "./plan/rank.ts";

/** Seconds for thread starts, a busy machine and writing results. */
const MARGIN_SECONDS = 0.2;
/** Factor between the model's time and that of a slow or busy machine. */
const MARGIN = 6;
/** Maximum estimate, above the time limit of any simulator. */
const MAX_SECONDS = 3600;
/** Estimate of programs above the limits, and of those whose time only a run can tell. */
const UNKNOWN_SECONDS = 60;

export interface ExpectedRun {
  programs: readonly SourceProgram[];
  shots: number;
  /** The run's options, unchecked. */
  options: { readonly [option: string]: unknown } | null | undefined;
}

/** Size of the programs that are compiled to estimate them. */
export interface EstimateLimits {
  /** Characters of all programs and their files. */
  maxLength: number;
  /** Operations of each program, and values of its variables. */
  maxOperations: number;
}

/**
 * Estimates the seconds that a run takes on the state vector simulator, too many rather than too few. Programs above the
 * limits, and those whose time only a run can tell, count as a minute.
 */
export function expectedSeconds(
  { programs, shots, options }: ExpectedRun,
  { maxLength, maxOperations }: EstimateLimits,
): number {
  const texts = programs.flatMap(({ data, files = {} }) => [data, ...Object.values(files)]);
  if (texts.some(text => typeof text !== "string")) return UNKNOWN_SECONDS;
  if (texts.reduce((sum, text) => sum + text.length, 0) > maxLength) return UNKNOWN_SECONDS;
  const { inputs, observables, statevector } = Object(options) as { [option: string]: unknown };
  const request = {
    shots,
    statevector: statevector === true || shots === 0,
    observables: Array.isArray(observables) ? observables.flatMap(termsOf) : [],
  };
  const limits = {
    maxOperations,
    maxTokens: maxLength,
    inputs: Object(inputs) as { [name: string]: InputValue },
  };
  try {
    const seconds = programs.reduce((sum, program) => sum + secondsOf(program, request, limits), 0);
    return Number.isFinite(seconds)
      ? Math.min(MAX_SECONDS, MARGIN * seconds + MARGIN_SECONDS)
      : UNKNOWN_SECONDS;
  } catch {
    return UNKNOWN_SECONDS;
  }
}

/** Returns an empty Pauli string for each term of an observable, which costs as much as any other. */
const termsOf = (observable: unknown): SimulationRequest["observables"] =>
  Array.from(
    {
      length:
        typeof observable === "string"
          ? observable.split(/[+-]/).length
          : Object.keys(Object(observable)).length,
    },
    () => [],
  );

function secondsOf(
  program: SourceProgram,
  request: Pick<SimulationRequest, "shots" | "statevector" | "observables">,
  limits: Parameters<typeof compile>[1],
): number {
  const circuit = compile(program, limits);
  const { best } = rankSimulators(circuit, { ...request, noise: null, maxBytes: 2 ** 31 }, [
    "statevector",
    "stabilizer",
  ]);
  if (!best) return Number.POSITIVE_INFINITY;
  return (best.microseconds * repetitions(circuit.parts.body) + request.shots * SHOT) / 1e6;
}

/** Returns how often the most repeated statement runs at most; infinite if only a run can tell. */
function repetitions(statements: StatementList): number {
  return statements.reduce((most, statement) => {
    if (["while", "graph", "recurse"].includes(statement.kind)) return Number.POSITIVE_INFINITY;
    const each = Math.max(1, ...bodiesOf(statement).map(repetitions));
    return Math.max(most, statement.kind === "for" ? each * roundsOf(statement.values) : each);
  }, 1);
}
