import type { RecordedProgram } from "../../contract/index.ts";
import type { Observable } from "../../results/index.ts";
import type { Inputs } from "../programs/inputs.ts";
import type { WrittenDesign } from "./programs.ts";
import type { Goal } from "./rounds.ts";

/** Ways to remove errors of a device from means. */
export type Mitigation = "readout" | "zne";

/** Settings of an estimate, kept in the first job, from which it is resumed. */
export interface EstimateSettings extends Goal {
  /** Programs with their inputs bound: one for each point. */
  readonly programs: readonly RecordedProgram[];
  /** The inputs of each point. */
  readonly inputs: readonly Inputs[];
  readonly observables: readonly Observable[];
  /** Undefined: what the device allows. */
  readonly mitigation: readonly Mitigation[] | undefined;
  readonly maxCost?: number | undefined;
  readonly runtimeOptions: { readonly [option: string]: unknown };
  readonly name?: string | undefined;
}

/** Description of an estimate in its first job. */
export interface KeptPlan {
  readonly settings: Omit<EstimateSettings, "programs">;
  /** Whether a simulator computes the means in the final states. */
  readonly isExact: boolean;
  readonly design: Omit<WrittenDesign, "terms" | "groups" | "texts">;
  readonly notes: readonly string[];
}
