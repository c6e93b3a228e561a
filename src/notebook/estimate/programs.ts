import { KetbookError } from "../../client/index.ts";
import type { Program, RecordedProgram } from "../../contract/index.ts";
import type { Observable } from "../../results/index.ts";
import {
  type Circuit,
  compile,
  derivedSeed,
  foldGates,
  type Gate,
  type GateCall,
  type LibraryCall,
  measuredAfter,
  namedGate,
  ProgramError,
  printCompiled,
  replaceGates,
  SimulationError,
  type Target,
  transpile,
  unitaryOf,
} from "../../simulation/index.ts";
import type { Design, DesignedProgram } from "./assess.ts";
import { groupTerms, placesOf, readTerms, supportOf } from "./terms.ts";

/** Two-qubit gates that the folds of a program add to it, about, and how often each gate is folded at most. */
const FOLDED_GATES = 32;
const MAX_FOLDS = 2;
/** Name of the register that is measured. */
const REGISTER = "estimated";
/** Stream of the seeds of programs. */
const SEEDS = 42;

/** Parts of an estimate. */
export interface DesignRequest {
  /** Programs without open inputs. */
  readonly programs: readonly RecordedProgram[];
  readonly observables: readonly Observable[];
  /** The device, if it is known how its qubits are connected. */
  readonly target: Target | undefined;
  readonly effort: Effort;
  /** Seed of the random gates around two-qubit gates. */
  readonly seed: number;
}

/** Purpose of the programs of a design. */
export interface Effort {
  /** Whether the readout is calibrated, and flipped in every other copy. */
  readonly readout: boolean;
  /** Noise factors: 1 where noise is not amplified, to extrapolate to none. */
  readonly factors: 1 | 2 | 3;
  /** Copies of each program. Those of one whose noise is amplified have different random gates. */
  readonly copies: number;
}

/** A design with the texts of its programs: the copies of each follow each other. */
export interface WrittenDesign extends Design {
  readonly texts: readonly Program[];
  /** Qubits of the programs. */
  readonly width: number;
}

/** Rethrows what is wrong with a program, an observable or a device as an error of the estimate. */
export function explained<T>(compute: () => T, what = ""): T {
  try {
    return compute();
  } catch (cause) {
    const isExpected = [ProgramError, SimulationError, RangeError].some(kind => cause instanceof kind);
    throw isExpected ? new KetbookError(`estimate: ${what}${(cause as Error).message}`, { cause }) : cause;
  }
}

/** Compiles a program to a straight line where it allows that, so the measurements that end it are known. */
function compileStraight({ format, data, files }: RecordedProgram): Circuit {
  if (typeof data !== "string" || !["qasm2", "qasm3", "qir.ll"].includes(format))
    throw new SimulationError(
      `Programs in ${format} can't be measured in other bases. Write it in OpenQASM.`,
    );
  const circuit = compile({ format: format as "qasm3", data, ...(files && { files }) });
  return compile({ format: "qasm3", data: printCompiled(circuit, { method: "as written" }) });
}

/** Designs the programs that give the means of observables, and writes them. */
export function writeDesign(request: DesignRequest): WrittenDesign {
  const { programs: given, observables, target, seed } = request;
  const { readout, copies } = request.effort;
  const zne = request.effort.factors > 1;
  const circuits = given.map((program, index) =>
    explained(() => compileStraight(program), given.length > 1 ? `program ${index}: ` : ""),
  );
  const widths = new Set(circuits.map(({ numQubits }) => numQubits));
  if (widths.size > 1)
    throw new KetbookError(
      `estimate: the programs have ${[...widths].join(" and ")} qubits. Estimate those of one width together.`,
    );
  const terms = readTerms(observables, circuits[0]!.numQubits);
  const groups = groupTerms(terms);
  const qubits = placesOf(terms.strings.reduce((mask, string) => mask | supportOf(string), 0n));
  const flips = (on: readonly number[]): LibraryCall[] => on.map(qubit => ({ gate: "x", qubits: [qubit] }));
  const place = placer(target);
  const fitted = circuits.flatMap((circuit, point) =>
    groups.map(({ gates }, group) => {
      const ends = readout ? [gates, [...gates, ...flips(qubits)]] : [gates];
      const ways = ends.map(end => place(measuredAfter(circuit, end, qubits, REGISTER)));
      return { point, group, ways, layout: ways[0]!.layout };
    }),
  );
  const twoQubitGates = Math.max(0, ...fitted.map(({ ways }) => twoQubitCalls(ways[0]!.circuit)));
  const factors = factorsOf(twoQubitGates).slice(0, request.effort.factors);
  const placed = fitted.flatMap(({ layout }) => (layout ? qubits.map(qubit => layout[qubit]!) : []));
  const physical = [...new Set(placed)].sort((a, b) => a - b);
  const programs: DesignedProgram[] = [];
  const texts: Program[] = [];
  const add = (program: DesignedProgram, circuitOf: (copy: number) => Circuit) => {
    programs.push(program);
    for (let copy = 0; copy < copies; copy++)
      texts.push({
        format: "qasm3",
        data: printCompiled(circuitOf(copy), { method: "native gates, as they are" }),
      });
  };
  if (readout)
    add({ kind: "calibrate", point: 0, group: 0, factor: 1, places: [...physical.keys()] }, copy =>
      calibration(physical, copy % 2 ? flips(physical) : [], target!),
    );
  for (const { point, group, ways, layout } of fitted)
    for (const factor of factors) {
      const places = qubits.map(qubit => physical.indexOf(layout?.[qubit] ?? -1));
      add({ kind: "measure", point, group, factor, places }, copy => {
        const { circuit } = ways[copy % ways.length]!;
        return zne ? amplified(circuit, factor, target!, derivedSeed(seed, texts.length, SEEDS)) : circuit;
      });
    }
  const [points, width] = [circuits.length, circuits[0]!.numQubits];
  return { terms, groups, points, factors, qubits, programs, copies, flips: readout, texts, width };
}

/** Returns noise factors: the more gates, the nearer to 1. */
function factorsOf(twoQubitGates: number): number[] {
  const folds = Math.min(MAX_FOLDS, Math.round(FOLDED_GATES / Math.max(1, twoQubitGates)));
  return folds > 0 ? [1, 1 + 2 * folds, 1 + 4 * folds] : [1, 2, 3];
}

function twoQubitCalls(circuit: Circuit): number {
  let calls = 0;
  foldGates(circuit, 0, ({ numQubits }) => {
    if (numQubits === 2) calls += 1;
    return false;
  });
  return calls;
}

/** Returns a circuit with more noise, which is twirled. */
function amplified(circuit: Circuit, factor: number, target: Target, seed: number): Circuit {
  const folded = foldGates(circuit, (factor - 1) / 2, gate => !gate.diagonal || gate.numQubits > 1);
  return transpile(twirlGates(folded, seed), target, { optimizationLevel: 0 }).circuit;
}

interface FittedCircuit {
  readonly circuit: Circuit;
  /** The physical qubit that each qubit ends on; undefined where the service places them. */
  readonly layout: readonly number[] | undefined;
}

/** Returns the translator of programs for a device, all of them on the best qubits for the first. */
function placer(target: Target | undefined): (circuit: Circuit) => FittedCircuit {
  let initialLayout: readonly number[] | undefined;
  return circuit => {
    if (!target) return { circuit, layout: undefined };
    const kept = initialLayout && !initialLayout.includes(-1) ? { initialLayout } : {};
    const fitted = transpile(circuit, target, { optimizationLevel: initialLayout ? 2 : 3, ...kept });
    initialLayout ??= fitted.initialLayout;
    return { circuit: fitted.circuit, layout: fitted.finalLayout };
  };
}

/** A program that measures qubits after some gates, to learn of their readout. */
function calibration(physical: readonly number[], gates: readonly LibraryCall[], target: Target): Circuit {
  const width = Math.max(...physical) + 1;
  const empty = compile({ format: "qasm3", data: `OPENQASM 3.0;\nqubit[${width}] q;\n` });
  const initialLayout = Array.from({ length: width }, (_, qubit) => qubit);
  const options = { optimizationLevel: 0, initialLayout } as const;
  return transpile(measuredAfter(empty, gates, physical, REGISTER), target, options).circuit;
}

/** A Pauli matrix on two qubits: bit i of `x` is set for X and Y on qubit i, of `z` for Z and Y. */
interface PauliPair {
  readonly x: number;
  readonly z: number;
}

const PAIRS = Array.from({ length: 16 }, (_, i): PauliPair => ({ x: i >> 2, z: i & 3 }));
/** Name of a Pauli matrix by its bits, x + 2z. */
const NAMES = ["id", "x", "z", "y"];
/** Stream of the seeds of twirled gates. */
const STREAM = 41;

/**
 * Returns a circuit with random Pauli gates before each two-qubit gate, and those after it that undo them but for a phase. It
 * does the same without noise. On average over seeds, the noise of these gates is a mixture of Pauli errors.
 */
export function twirlGates(circuit: Circuit, seed: number): Circuit {
  const known = new Map<string, readonly [PauliPair, PauliPair][]>();
  let count = 0;
  return replaceGates(circuit, {
    known(call) {
      if (call.gate.numQubits !== 2) return [call];
      const key = `${call.gate.name} ${call.params}`;
      const pairs = known.get(key) ?? twirlsOf(call.gate, call.params);
      known.set(key, pairs);
      const draw = derivedSeed(seed, count++, STREAM) / 2 ** 53;
      const [before, after] = pairs[Math.floor(draw * pairs.length)]!;
      return [...pauliCalls(before, call), call, ...pauliCalls(after, call)];
    },
  });
}

function pauliCalls({ x, z }: PauliPair, { qubits }: GateCall): GateCall[] {
  return qubits.flatMap((qubit, place) => {
    const bits = ((x >> place) & 1) + 2 * ((z >> place) & 1);
    return bits ? [{ gate: namedGate(NAMES[bits]!)!, params: [], qubits: [qubit] }] : [];
  });
}

/** Lists the Pauli matrices that a gate U turns into others, P and Q with U P = ± Q U. */
function twirlsOf(gate: Gate, params: readonly number[]): [PauliPair, PauliPair][] {
  const matrix = unitaryOf(gate, params);
  return PAIRS.flatMap(before =>
    PAIRS.filter(after => Math.abs(overlapOf(matrix, before, after)) > 1 - 1e-12).map(
      (after): [PauliPair, PauliPair] => [before, after],
    ),
  );
}

/** Returns the real trace of U P U⁻¹ Q, a quarter of it: ± 1 where Q is what U turns P into. */
function overlapOf(matrix: ArrayLike<number>, before: PauliPair, after: PauliPair): number {
  let total = 0;
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) {
      // Q maps the row, and P the column, to one of other bits with a phase i^quarters.
      const [p, q] = [2 * (4 * row + column), 2 * (4 * (row ^ after.x) + (column ^ before.x))];
      const quarters = phaseOf(before, column ^ before.x) + phaseOf(after, row);
      const [re, im] = [
        matrix[p]! * matrix[q]! + matrix[p + 1]! * matrix[q + 1]!,
        matrix[p + 1]! * matrix[q]! - matrix[p]! * matrix[q + 1]!,
      ];
      total += [re, -im, -re, im][quarters % 4]!;
    }
  return total / 4;
}

/** Returns the phase, in quarters of a turn, that a Pauli matrix gives a basis state. */
function phaseOf({ x, z }: PauliPair, state: number): number {
  const ones = (bits: number) => (bits & 1) + (bits >> 1);
  return ones(x & z) + 2 * ones(z & state);
}
