import type { Circuit } from "../circuit/circuit.ts";
import { branches } from "./branching.ts";
import type { Tally } from "./tally.ts";

/** Progress that is worth a report. */
const SMALLEST_PROGRESS = 0.002;

/** Tells whoever wants to know how far a run is: by its operations where all shots share one course, else by its shots. */
export interface Report {
  /** Hears now and then how many operations are done. */
  onLook(operations: number): void;
  /** Hears when a course has ended. */
  onCourse(): void;
}

/** Begins to report how far a run is; shots do not share one course where each has errors of its own. */
export function startReport(
  circuit: Circuit,
  tally: Pick<Tally, "shotsDone" | "weightDone">,
  { shots, onProgress }: { shots: number; onProgress?(fraction: number): void },
  sharesOneCourse = true,
): Report {
  let progress = 0;
  const { operations, instructions } = circuit.parts;
  const loops = instructions.some(
    ({ kind }, i) => kind === "jump" && (instructions[i] as { target: number }).target <= i,
  );
  const isOneCourse = sharesOneCourse && !loops && !branches(circuit);
  const report = (fraction: number) => {
    if (fraction < progress + SMALLEST_PROGRESS) return;
    progress = fraction;
    onProgress?.(fraction);
  };
  return {
    onLook: done => {
      if (isOneCourse) report(Math.min(0.99, done / (operations.length + 1)));
    },
    onCourse: () => {
      report(Math.min(1, shots > 0 ? tally.shotsDone / shots : tally.weightDone));
    },
  };
}
