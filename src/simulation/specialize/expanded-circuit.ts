import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { twoQubitGateCount } from "../circuit/metrics.ts";
import { bodiesOf, type StatementList } from "../circuit/statement.ts";
import { SimulationError } from "../errors.ts";
import { leadsBack } from "./blocks.ts";
import { residualCircuit } from "./residual.ts";
import { traceOf } from "./trace.ts";

/** Returns a program whose loops and variables are carried out, or null where that is too much or a loop ends by what it measures. */
export function expandedCircuit(parts: CircuitParts): Circuit | null {
  try {
    return carriedOut(parts);
  } catch (error) {
    if (error instanceof SimulationError) return null;
    throw error;
  }
}

function carriedOut(parts: CircuitParts): Circuit | null {
  const blocks = traceOf(parts);
  return leadsBack(blocks) ? null : residualCircuit(parts, blocks, { keepsGates: true });
}

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
  const expanded = figuredCircuit(circuit);
  return {
    depth: expanded.depth(),
    gateCounts: Object.freeze(expanded.gateCounts()),
    twoQubitGates: twoQubitGateCount(expanded),
    width: circuit.numQubits,
  };
}

function figuredCircuit(circuit: Circuit): Circuit {
  try {
    return carriedOut(circuit.parts) ?? circuit;
  } catch (error) {
    if (error instanceof SimulationError && !hasLoops(circuit.parts.body)) return circuit;
    throw error;
  }
}

const hasLoops = (statements: StatementList): boolean =>
  statements.some(
    statement =>
      ["for", "while", "graph"].includes(statement.kind) || bodiesOf(statement).some(body => hasLoops(body)),
  );
