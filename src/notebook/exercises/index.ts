export {
  checks,
  type NumberCheckOptions,
  type StateCheckOptions,
  type UnitaryCheckOptions,
} from "./checks.ts";
export type { DistributionCheckOptions } from "./distribution-check.ts";
export { check, type Exercise, type ExerciseOptions, exercise, hint } from "./exercise.ts";
export type {
  CheckFinding,
  CheckRecord,
  CheckResult,
  ExerciseCheck,
} from "./exercise-check.ts";
export type { OutputCheckOptions } from "./output-check.ts";
export type { GateRules, ResourceLimits } from "./resource-checks.ts";
export type { QubitSelection } from "./select-qubits.ts";
