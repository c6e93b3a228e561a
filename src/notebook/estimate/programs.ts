import { KetbookError } from "../../client/index.ts";
import type { Program, RecordedProgram } from "../../contract/index.ts";
import type { Observable } from "../../results/index.ts";
import {
  type Circuit,
  compile,
  derivedSeed,
  foldGates,
  type LibraryCall,
  measuredAfter,
  placesOf,
  printCompiled,
  SimulationError,
  supportOf,
  type Target,
  transpile,
  twirlGates,
  twoQubitGateCount,
} from "../../simulation/index.ts";
import { naming, sourceOf } from "../programs/program-figures.ts";
import type { Design } from "./assess.ts";
import { groupTerms, readTerms } from "./terms.ts";

/** Two-qubit gates that the folds of a program add to it, about, and how often each gate is folded at most. */
const FOLDED_GATES = 32;
const MAX_FOLDS = 2;
const REGISTER = "estimated";
const SEEDS = 42;

export interface Effort {
  /** Whether the readout is calibrated, and flipped in every other copy. */
  readonly readout: boolean;
  readonly factors: 1 | 2 | 3;
  /** Copies of each program. Those of one whose noise is amplified have different random gates. */
  readonly copies: number;
  /** Parts of the most that was asked for which this leaves out. */
  readonly leftOut?: readonly string[];
}

/** A design with the texts of its programs: the copies of each follow each other. */
export type WrittenDesign = Design & {
  readonly texts: readonly Program[];
  readonly width: number;
  /** Of the program that has most. */
  readonly twoQubitGates: number;
};

/** Compiles a program to a straight line where it allows that, so the measurements that end it are known. */
function compileStraight(program: RecordedProgram): Circuit {
  const source = sourceOf(program);
  if (!source)
    throw new SimulationError(
      `Programs in ${program.format} can't be measured in other bases. Write it in OpenQASM.`,
    );
  return compile({ format: "qasm3", data: printCompiled(compile(source), { method: "as written" }) });
}

/** Designs and writes the programs that give the means of observables, of programs without open inputs. */
export function writeDesign(
  given: readonly RecordedProgram[],
  observables: readonly Observable[],
  target: Target | undefined,
  { readout, copies, factors: wanted }: Effort,
  seed: number,
): WrittenDesign {
  const circuits = given.map((program, index) =>
    naming(given.length > 1 ? `estimate: program ${index}` : "estimate", () => compileStraight(program)),
  );
  const widths = new Set(circuits.map(({ numQubits }) => numQubits));
  if (widths.size > 1)
    throw new KetbookError(
      `estimate: the programs have ${[...widths].join(" and ")} qubits. Estimate those of one width together.`,
    );
  const terms = readTerms(observables, circuits[0]!.numQubits);
  const groups = groupTerms(terms);
  if (target && groups.length === 0)
    throw new KetbookError(
      `estimate: ${terms.sums.map(({ name }) => name).join(", ")} is a constant, for which nothing is measured.`,
    );
  const qubits = placesOf(terms.strings.reduce((mask, string) => mask | supportOf(string), 0n));
  const flips = (on: readonly number[]): LibraryCall[] => on.map(qubit => ({ gate: "x", qubits: [qubit] }));
  const place = placer(target);
  const fitted = circuits.flatMap(circuit =>
    groups.map(({ gates }) =>
      (readout ? [gates, [...gates, ...flips(qubits)]] : [gates]).map(end =>
        place(measuredAfter(circuit, end, qubits, REGISTER)),
      ),
    ),
  );
  const twoQubitGates = Math.max(0, ...fitted.map(([plain]) => twoQubitGateCount(plain!.circuit)));
  const factors = factorsOf(twoQubitGates).slice(0, wanted);
  const measured = fitted.map(([plain]) => qubits.map(qubit => plain!.layout?.[qubit] ?? -1));
  const physical = [...new Set(measured.flat())].sort((a, b) => a - b);
  const texts: Program[] = [];
  const write = (circuitOf: (copy: number) => Circuit) => {
    for (let copy = 0; copy < copies; copy++)
      texts.push({
        format: "qasm3",
        data: printCompiled(circuitOf(copy), { method: "native gates, as they are" }),
      });
  };
  if (readout) write(copy => calibration(physical, copy % 2 ? flips(physical) : [], target!));
  for (const ways of fitted)
    for (const factor of factors)
      write(copy => {
        const { circuit } = ways[copy % ways.length]!;
        if (wanted === 1) return circuit;
        const folded = foldGates(circuit, (factor - 1) / 2, gate => !gate.diagonal || gate.numQubits > 1);
        const twirled = twirlGates(folded, derivedSeed(seed, texts.length - copy, SEEDS), copy);
        return transpile(twirled, target!, { optimizationLevel: 0 }).circuit;
      });
  const places = measured.map(own => own.map(qubit => physical.indexOf(qubit)));
  const [points, width] = [circuits.length, circuits[0]!.numQubits];
  return {
    terms,
    groups,
    points,
    factors,
    qubits,
    places,
    copies,
    flips: readout,
    texts,
    width,
    twoQubitGates,
  };
}

/** Returns noise factors: the more gates, the nearer to 1. */
function factorsOf(twoQubitGates: number): number[] {
  const folds = Math.min(MAX_FOLDS, Math.round(FOLDED_GATES / Math.max(1, twoQubitGates)));
  return folds > 0 ? [1, 1 + 2 * folds, 1 + 4 * folds] : [1, 2, 3];
}

/** Translates programs for a device, all of them on the best qubits for the first; undefined: the service places them. */
function placer(target: Target | undefined) {
  let initialLayout: readonly number[] | undefined;
  return (circuit: Circuit): { circuit: Circuit; layout?: readonly number[] } => {
    if (!target) return { circuit };
    const kept = initialLayout && !initialLayout.includes(-1) ? { initialLayout } : {};
    const fitted = transpile(circuit, target, { optimizationLevel: initialLayout ? 2 : 3, ...kept });
    initialLayout ??= fitted.initialLayout;
    return { circuit: fitted.circuit, layout: fitted.finalLayout };
  };
}

function calibration(physical: readonly number[], gates: readonly LibraryCall[], target: Target): Circuit {
  const width = Math.max(...physical) + 1;
  const empty = compile({ format: "qasm3", data: `OPENQASM 3.0;\nqubit[${width}] q;\n` });
  const initialLayout = Array.from({ length: width }, (_, qubit) => qubit);
  const options = { optimizationLevel: 0, initialLayout } as const;
  return transpile(measuredAfter(empty, gates, physical, REGISTER), target, options).circuit;
}
