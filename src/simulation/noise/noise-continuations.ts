import type { BranchOutcome } from "../execution/branch.ts";
import type { ErrorPattern, GateCall } from "./error-sampler.ts";
import type { Decay } from "./gate-noise.ts";
import { completeOperator, drawJump, type KrausSite, probabilitiesOf } from "./kraus-site.ts";
import { applyNoJump } from "./no-jump.ts";
import type { NoisyBranch } from "./noisy-branch.ts";

/** Why a branch has stopped for its noise. */
export type NoiseStop =
  | { kind: "errors"; call: GateCall; hazard: number }
  | { kind: "decay"; decay: Decay; hazard: number }
  | { kind: "damping"; decay: Decay; hazard: number }
  | { kind: "kraus"; site: KrausSite; hazard: number }
  | { kind: "readout"; bit: number };

/** How far a branch is in its noise. */
export interface NoiseProgress {
  /** The hazards of errors so far, summed. */
  hazard: number;
  /** Measurements that were read. */
  readouts: number;
  /** Position within an operation: its elementary gate, and how many of that one's decays are done; -1 before the gate itself. */
  step: number;
  decay: number;
  /** Errors of that gate that wait for a qubit to be decided. */
  waiting: ErrorPattern | null;
}

/** Returns the continuations in which each pattern of errors that is drawn for a gate has happened. */
export function afterErrors<B extends NoisyBranch>(
  branch: B,
  { call, hazard }: NoiseStop & { kind: "errors" },
): BranchOutcome<B>[] {
  const errors = branch.noise.errors!;
  const before = branch.progress.hazard;
  const until = before + hazard;
  const { due, others } = shotsDueBefore(until, branch);
  const groups = errors.draw(call, due, before);
  if (others.length > 0) groups.push({ pattern: new Map(), shots: others });
  return groups.map(({ pattern, shots }) => ({
    shots,
    share: Number(shots === others),
    enter(entered) {
      entered.progress.waiting = errors.apply(entered, call, pattern);
      entered.progress.hazard = until;
      entered.progress.decay = 0;
    },
  }));
}

/** Returns the continuations in which a qubit has decayed, and in which it has not. */
export function afterDecay<B extends NoisyBranch>(
  branch: B,
  { decay, hazard }: NoiseStop & { kind: "decay" },
): BranchOutcome<B>[] {
  const errors = branch.noise.errors!;
  const until = branch.progress.hazard + hazard;
  const { due, others } = shotsDueBefore(until, branch);
  return [
    ...continuation(errors.resample(due, until), until, entered => decayToZero(entered, decay)),
    ...continuation(others, until, entered => dampWithoutDecay(entered, decay), 1),
  ];
}

/** Returns the continuations in which a damping happens that is rare, with a decay or without one, and in which it does not. */
export function afterDamping<B extends NoisyBranch>(
  branch: B,
  { decay, hazard }: NoiseStop & { kind: "damping" },
): BranchOutcome<B>[] {
  const errors = branch.noise.errors!;
  const until = branch.progress.hazard + hazard;
  const { due, others } = shotsDueBefore(until, branch);
  const one = decay.probability * branch.state.probabilityOfOne(decay.qubits[0]);
  const isDecayed = (shot: number) => errors.uniform(shot) < one;
  const [decayed, kept] = [due.filter(isDecayed), due.filter(shot => !isDecayed(shot))];
  return [
    ...continuation(errors.resample(decayed, until), until, entered => decayToZero(entered, decay)),
    ...continuation(errors.resample(kept, until), until, entered => dampWithoutDecay(entered, decay)),
    ...continuation(others, until, () => {}, 1),
  ];
}

/** Returns the continuation of some shots, if there are any, with the next decay. The probability of an error is not followed. */
function continuation<B extends NoisyBranch>(
  shots: Uint32Array,
  hazard: number,
  happen: (entered: B) => void,
  share = 0,
): BranchOutcome<B>[] {
  if (shots.length === 0) return [];
  const enter = (entered: B) => {
    happen(entered);
    entered.progress.hazard = hazard;
    entered.progress.decay++;
  };
  return [{ shots, share, enter }];
}

function decayToZero(branch: NoisyBranch, { qubits: [qubit] }: Decay): void {
  branch.decide(qubit, 1);
  branch.state.setValue(qubit, 0);
}

const dampWithoutDecay = ({ state, noise }: NoisyBranch, { qubits: [qubit], probability }: Decay): void =>
  applyNoJump(state, qubit, probability, noise.ancilla);

/** Returns the continuations in which each Kraus operator acts that is due in some shot. */
export function afterJumps<B extends NoisyBranch>(
  branch: B,
  { site: { qubits, operators }, hazard }: NoiseStop & { kind: "kraus" },
): BranchOutcome<B>[] {
  const { ancilla } = branch.noise;
  const errors = branch.noise.errors!;
  const until = branch.progress.hazard + hazard;
  const { due, others } = shotsDueBefore(until, branch);
  const probabilities = probabilitiesOf(branch.state, qubits, operators);
  const groups = operators.map((): number[] => []);
  for (const shot of due) groups[drawJump(probabilities, errors.uniform(shot))]!.push(shot);
  const outcome = (index: number, shots: Uint32Array): BranchOutcome<B> => ({
    shots,
    share: Number(shots === others),
    enter(entered) {
      const operator = operators[index]!;
      entered.state.apply(operator.right, [], 0, qubits, 0);
      completeOperator(entered.state, qubits, operator, { probability: probabilities[index]!, ancilla });
      entered.progress.hazard = until;
      entered.progress.decay++;
    },
  });
  return [
    ...groups.flatMap((shots, index) =>
      shots.length > 0 ? [outcome(index, errors.resample(Uint32Array.from(shots), until))] : [],
    ),
    ...(others.length > 0 ? [outcome(0, others)] : []),
  ];
}

/** Splits the shots of a branch into those whose next error comes before this cumulative hazard, and the others. */
function shotsDueBefore(
  hazard: number,
  { noise, shots }: NoisyBranch,
): { due: Uint32Array; others: Uint32Array } {
  const firstFree = shots!.findIndex(shot => noise.errors!.next(shot) >= hazard);
  const count = firstFree < 0 ? shots!.length : firstFree;
  return { due: shots!.slice(0, count), others: shots!.subarray(count) };
}
