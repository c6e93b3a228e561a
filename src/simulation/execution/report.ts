import type { Circuit } from "../circuit/circuit.ts";
import { OPERATION } from "../circuit/operations.ts";
import { everyStatement, type Statement } from "../circuit/statement.ts";
import { profileOf } from "../plan/profile.ts";
import type { Tally } from "./tally.ts";

/** Progress that is worth a report. */
const SMALLEST_PROGRESS = 0.002;

/** Reports the progress of a run: by its operations where all shots share one branch, else by its shots. */
export interface Report {
  /** Is called now and then with the number of operations done. */
  onCheck(operations: number): void;
  /** Is called when a branch has ended. */
  onBranchEnd(): void;
}

/** Begins to report how far a run is; shots do not share one branch where each has errors of its own. */
export function startReport(
  circuit: Circuit,
  tally: Pick<Tally, "shotsDone" | "weightDone">,
  { shots, onProgress }: { shots: number; onProgress?(fraction: number): void },
  sharesOneBranch = true,
): Report {
  if (!onProgress) return { onCheck: () => {}, onBranchEnd: () => {} };
  const total = sharesOneBranch ? countSteps(circuit) : Number.POSITIVE_INFINITY;
  let progress = 0;
  const report = (fraction: number) => {
    if (fraction < progress + SMALLEST_PROGRESS) return;
    progress = fraction;
    onProgress(fraction);
  };
  return {
    onCheck: done => report(Math.min(0.99, done / total)),
    onBranchEnd: () => report(Math.min(1, shots > 0 ? tally.shotsDone / shots : tally.weightDone)),
  };
}

/** Returns what reports no less progress than before, as attempts that follow each other would. */
export function ascendingProgress({ onProgress }: { onProgress?(fraction: number): void }) {
  let reached = 0;
  if (!onProgress) return {};
  return {
    onProgress(fraction: number) {
      if (fraction <= reached) return;
      reached = fraction;
      onProgress(fraction);
    },
  };
}

/** Statements that may be run more than once. */
const LOOPS: ReadonlySet<Statement["kind"]> = new Set(["for", "while", "recurse", "graph"]);

/** Counts the steps of a program; infinite where loops or conditions may change how many they are. */
function countSteps(circuit: Circuit): number {
  const { operations, gates, body } = circuit.parts;
  let steps = 0;
  const isStraight = everyStatement(body, ({ kind }) => {
    steps++;
    return !LOOPS.has(kind);
  });
  if (!isStraight || profileOf(circuit).hasMidCircuitDependence) return Number.POSITIVE_INFINITY;
  for (let i = 0; i < operations.length; i++) {
    const gate = operations.kinds[i] === OPERATION.gate ? gates[operations.gates[i]!] : undefined;
    steps += gate?.kind === "composite" ? gate.size : 1;
  }
  return steps;
}
