import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { depthOf, gateCountsOf, twoQubitGateCount } from "../circuit/metrics.ts";
import { bodiesOf, type StatementList } from "../circuit/statement.ts";
import type { StructuredBody } from "../circuit/structured-body.ts";
import { SimulationError } from "../errors.ts";
import { bodyOf } from "./expanded-body.ts";

/** Figures of a program whose loops are carried out. */
export interface ProgramFigures {
  readonly depth: number;
  readonly gateCounts: { readonly [gate: string]: number };
  readonly twoQubitGates: number;
  readonly width: number;
}

/**
 * Returns the figures of a program. Where a loop ends by what it measures, the body of each loop counts once.
 * Throws a {@link SimulationError} where the loops are too long to carry out.
 */
export function programFigures(circuit: Circuit): ProgramFigures {
  const { parts, numQubits } = circuit;
  const body = carriedOut(parts);
  return {
    depth: depthOf(parts, body),
    gateCounts: Object.freeze(gateCountsOf(parts, body)),
    twoQubitGates: twoQubitGateCount(circuit, body),
    width: numQubits,
  };
}

function carriedOut(parts: CircuitParts): StructuredBody | undefined {
  try {
    return bodyOf(parts) ?? undefined;
  } catch (error) {
    if (error instanceof SimulationError && !hasLoops(parts.body)) return undefined;
    throw error;
  }
}

const hasLoops = (statements: StatementList): boolean =>
  statements.some(
    statement =>
      ["for", "while", "graph"].includes(statement.kind) || bodiesOf(statement).some(body => hasLoops(body)),
  );
