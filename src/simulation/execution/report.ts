import type { CircuitParts } from "../circuit/circuit.ts";
import type { Tally } from "./tally.ts";

/** Progress that is worth a report. */
const SMALLEST_PROGRESS = 0.002;

/** Tells whoever wants to know how far a run is: by its operations during the first course, by its shots after that. */
export interface Report {
  /** Hears now and then how many operations are done. */
  onLook(operations: number): void;
  /** Hears when a course has ended. */
  onCourse(): void;
}

/** Begins to report how far a run is. */
export function startReport(
  parts: CircuitParts,
  tally: Pick<Tally, "shotsDone" | "weightDone">,
  { shots, onProgress }: { shots: number; onProgress?(fraction: number): void },
): Report {
  let progress = 0;
  let courses = 0;
  const report = (fraction: number) => {
    if (fraction < progress + SMALLEST_PROGRESS) return;
    progress = fraction;
    onProgress?.(fraction);
  };
  return {
    onLook: operations => {
      if (courses === 0) report(Math.min(0.99, operations / (parts.operations.length + 1)));
    },
    onCourse: () => {
      courses++;
      report(Math.min(1, shots > 0 ? tally.shotsDone / shots : tally.weightDone));
    },
  };
}
