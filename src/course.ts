import "./index.ts";

export {
  checks,
  type NumberCheckOptions,
  type StateCheckOptions,
  type UnitaryCheckOptions,
} from "./notebook/exercises/checks.ts";
export type { DistributionCheckOptions } from "./notebook/exercises/distribution-check.ts";
export { check, type Exercise, type ExerciseOptions, exercise, hint } from "./notebook/exercises/exercise.ts";
export type {
  CheckFinding,
  CheckRecord,
  CheckResult,
  ExerciseCheck,
} from "./notebook/exercises/exercise-check.ts";
export type { OutputCheckOptions } from "./notebook/exercises/output-check.ts";
export type { GateRules, ResourceLimits } from "./notebook/exercises/resource-checks.ts";
export type { QubitSelection } from "./notebook/exercises/select-qubits.ts";
