export { CircuitBuilder } from "./circuit/builder.ts";
export {
  Circuit,
  type CircuitParts,
  type ClassicalRegister,
  type OutputVariable,
  type Register,
} from "./circuit/circuit.ts";
export type { Expression } from "./circuit/expression.ts";
export type { Gate } from "./circuit/gate.ts";
export { libraryGateOf } from "./circuit/library-gate.ts";
export { type LibraryCall, measuredAfter } from "./circuit/measured.ts";
export { twoQubitGateCount, twoQubitGatesOf } from "./circuit/metrics.ts";
export { OPERATION } from "./circuit/operations.ts";
export type { OutputValue } from "./circuit/output-values.ts";
export {
  bit,
  commute,
  commuteByQubit,
  diagonalize,
  masksOf,
  type PauliMasks,
  placesOf,
  stringName,
  supportOf,
} from "./circuit/pauli-masks.ts";
export { visitCalls } from "./circuit/primitives.ts";
export { foldGates, type GateCall, inverseOf, type Replacement, replaceGates } from "./circuit/transform.ts";
export { twirlGates } from "./circuit/twirl.ts";
export { unitaryOf } from "./circuit/unitary.ts";
export { compile, type SourceProgram } from "./compile.ts";
export { checkDeviceLimits } from "./device-limits.ts";
export { describeCircuit } from "./drawing/describe.ts";
export type { Element as CircuitElement } from "./drawing/elements.ts";
export {
  type CircuitColors,
  circuitColors,
  type Role as CircuitRole,
  type Shape as CircuitShape,
} from "./drawing/shapes.ts";
export { type CircuitStrip, drawStrip, drawSvg } from "./drawing/svg.ts";
export { drawText } from "./drawing/text.ts";
export { addCall, controlledGate, gateNames, namedGate } from "./editing/calls.ts";
export { differenceOf, unitaryOfCircuit } from "./editing/compare-circuits.ts";
export {
  addLoop,
  addMeasurements,
  addRegister,
  appendCircuit,
  bitsOf,
  extendedCircuit,
  placedCircuit,
  unmeasuredCircuit,
} from "./editing/edit-circuit.ts";
export { bitCondition, readAngle, valueCondition } from "./editing/expressions.ts";
export { controlledCircuit, inverseCircuit, powerOfCircuit } from "./editing/modify-circuit.ts";
export { unitaryGate } from "./editing/unitary-gate.ts";
export {
  CancelledError,
  EstimateExceededError,
  LimitExceededError,
  MemoryLimitError,
  SimulationError,
  UnsupportedMethodError,
} from "./errors.ts";
export {
  type BranchesOptions,
  type BranchOperation,
  executeBranches,
  type FinalBranch,
  MAX_BRANCH_QUBITS,
} from "./execution/execute-branches.ts";
export type { ObservableMean } from "./execution/expectation-tally.ts";
export type { PauliFactor, PauliString, PauliSum } from "./execution/quantum-state.ts";
export {
  type ExecutedStep,
  type NoisyStepState,
  type SteppedProgram,
  type SteppingOptions,
  stepProgram,
} from "./execution/step-program.ts";
export type { SimulationResult } from "./execution/tally.ts";
export { type EstimateLimits, type ExpectedRun, expectedSeconds } from "./expected-seconds.ts";
export type { Method, MethodName, NoisyMethodName, TruncationReport } from "./method-name.ts";
export { noiseOfFigures } from "./noise/calibration-rules.ts";
export { type NoiseProblem, noiseProblems } from "./noise/check-rules.ts";
export { NOISY_OPERATIONS } from "./noise/operation-markers.ts";
export { type NoiseModel, noiseModelOfRules, type UniformNoise, uniformNoise } from "./noise-model.ts";
export type {
  AmplitudeDampingChannel,
  ComplexEntry,
  DepolarizingChannel,
  FlipChannel,
  KrausChannel,
  NoiseRule,
  NoiseRules,
  PauliChannel,
  PhaseDampingChannel,
  ReadoutRule,
  RuleChannel,
  ThermalRelaxationChannel,
  UniformChannel,
} from "./noise-rules.ts";
export { type Diagnostic, formatDiagnostics, ProgramError } from "./openqasm/diagnostics/diagnostic.ts";
export type { InputValue } from "./openqasm/expressions/inputs.ts";
export type { CompileOptions } from "./openqasm/lowering/compile.ts";
export {
  type CompiledNotes,
  printCircuit,
  printCompiled,
  printProgram,
} from "./openqasm/printing/print-compiled.ts";
export {
  BOUND_INPUT,
  type BoundInput,
  boundInputsOf,
  definitionsOf,
  type InputDeclaration,
  inputDeclarationsOf,
} from "./openqasm/syntax/declared.ts";
export { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "./openqasm/syntax/limits.ts";
export { activeQubitCount, isClifford } from "./plan/profile.ts";
export { compileQir } from "./qir/compile.ts";
export { toQir } from "./qir/write.ts";
export { derivedSeed, philox } from "./sampling/philox.ts";
export {
  ASSUMED_LENGTHS,
  type DeviceFigures,
  deviceFigures,
  type GateFigure,
  type PairFigures,
  type QubitFigures,
  type TimedCalibration,
} from "./schedule/device-figures.ts";
export type { DeviceNoiseOptions } from "./schedule/insert-noise.ts";
export {
  expectedFidelity,
  type Schedule,
  type ScheduledOperation,
  scheduleCircuit,
} from "./schedule/schedule.ts";
export { type NoisyOptions, type SimulateOptions, simulate, simulateNoisy } from "./simulate.ts";
export { type DeviceOptions, simulateDevice } from "./simulate-device.ts";
export { type ProgramFigures, programFigures } from "./specialize/residual.ts";
export {
  type Coupling,
  type Target,
  type TargetCalibration,
  type TargetTopology,
  targetOf,
} from "./transpile/target.ts";
export {
  type OptimizationLevel,
  type Transpiled,
  type TranspileOptions,
  transpile,
} from "./transpile/transpile.ts";
