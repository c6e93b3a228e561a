import { KetbookError } from "../../client/index.ts";
import type { Program, RecordedProgram } from "../../contract/index.ts";
import type { Observable } from "../../results/index.ts";
import {
  type Circuit,
  compile,
  foldGates,
  measuredAfter,
  ProgramError,
  printCompiled,
  SimulationError,
  type Target,
  transpile,
} from "../../simulation/index.ts";
import type { Design, DesignedProgram } from "./assess.ts";
import { groupTerms } from "./groups.ts";
import { placesOf, readTerms, supportOf } from "./terms.ts";

/** Noise factors by the maximum number of two-qubit gates: the more gates, the nearer to 1. */
const FACTORS = [
  [4, [1, 3, 5]],
  [12, [1, 4, 7]],
  [Number.POSITIVE_INFINITY, [1, 2, 3]],
] as const;
/** Name of the register that is measured. */
const REGISTER = "estimated";

/** What an estimate is made of. */
export interface DesignRequest {
  /** Programs without open inputs. */
  readonly programs: readonly RecordedProgram[];
  readonly observables: readonly Observable[];
  /** The device, if it is known how its qubits are connected. */
  readonly target: Target | undefined;
  readonly readout: boolean;
  /** Whether noise is amplified, to extrapolate to none. */
  readonly zne: boolean;
}

/** A design with the texts of its programs. */
export interface WrittenDesign extends Design {
  readonly texts: readonly Program[];
  /** Qubits of the programs. */
  readonly width: number;
}

/** Compiles programs to straight lines where they allow it, so that the measurements that end them are known. */
function compileStraight({ format, data, files }: RecordedProgram, index: number, count: number): Circuit {
  try {
    if (typeof data !== "string" || !["qasm2", "qasm3", "qir.ll"].includes(format))
      throw new SimulationError(
        `Programs in ${format} can't be measured in other bases. Write it in OpenQASM.`,
      );
    const circuit = compile({ format: format as "qasm3", data, ...(files && { files }) });
    return compile({ format: "qasm3", data: printCompiled(circuit, { method: "as written" }) });
  } catch (error) {
    if (!(error instanceof ProgramError || error instanceof SimulationError)) throw error;
    throw new KetbookError(`estimate: ${count > 1 ? `program ${index}: ` : ""}${error.message}`, {
      cause: error,
    });
  }
}

/** Designs the programs that give the means of observables, and writes them. */
export function writeDesign(request: DesignRequest): WrittenDesign {
  const { programs: given, observables, target, readout, zne } = request;
  const circuits = given.map((program, index) => compileStraight(program, index, given.length));
  const widths = new Set(circuits.map(({ numQubits }) => numQubits));
  if (widths.size > 1)
    throw new KetbookError(
      `estimate: the programs have ${[...widths].join(" and ")} qubits. Estimate those of one width together.`,
    );
  const terms = readTerms(observables, circuits[0]!.numQubits);
  const groups = groupTerms(terms);
  const qubits = placesOf(terms.strings.reduce((mask, string) => mask | supportOf(string), 0n));
  const wanted = circuits.flatMap((circuit, point) =>
    groups.map(({ gates }, group) => ({
      point,
      group,
      circuit: measuredAfter(circuit, gates, qubits, REGISTER),
    })),
  );
  const fitted = fitAll(
    wanted.map(({ circuit }) => circuit),
    target,
  );
  const twoQubitGates = Math.max(0, ...fitted.map(({ circuit }) => twoQubitCalls(circuit)));
  const factors = zne ? FACTORS.find(([most]) => twoQubitGates <= most)![1] : [1];
  const physical = [
    ...new Set(fitted.flatMap(({ layout }) => (layout ? qubits.map(qubit => layout[qubit]!) : []))),
  ];
  physical.sort((a, b) => a - b);
  const readoutOf = new Map(physical.map((qubit, place) => [qubit, place]));
  const programs: DesignedProgram[] = [];
  const texts: Program[] = [];
  if (readout)
    for (const prepared of [0, 1]) {
      programs.push({
        kind: "calibrate",
        point: 0,
        group: prepared,
        factor: 1,
        readouts: physical.map((_, place) => place),
      });
      texts.push(calibration(physical, prepared, target!));
    }
  wanted.forEach(({ point, group }, index) => {
    const { circuit, layout } = fitted[index]!;
    for (const factor of factors) {
      const readouts = qubits.map(qubit => (readout ? readoutOf.get(layout![qubit]!)! : -1));
      programs.push({ kind: "measure", point, group, factor, readouts });
      texts.push(printed(folded(circuit, factor)));
    }
  });
  return {
    terms,
    groups,
    points: circuits.length,
    factors,
    qubits,
    readouts: readout ? physical.length : 0,
    programs,
    texts,
    width: circuits[0]!.numQubits,
  };
}

function twoQubitCalls(circuit: Circuit): number {
  let calls = 0;
  foldGates(circuit, 0, ({ numQubits }) => {
    if (numQubits === 2) calls += 1;
    return false;
  });
  return calls;
}

const folded = (circuit: Circuit, factor: number): Circuit =>
  factor === 1 ? circuit : foldGates(circuit, (factor - 1) / 2, gate => !gate.diagonal || gate.numQubits > 1);

const printed = (circuit: Circuit): Program => ({
  format: "qasm3",
  data: printCompiled(circuit, { method: "native gates, as they are" }),
});

interface FittedCircuit {
  readonly circuit: Circuit;
  /** The physical qubit that each qubit ends on; undefined where the service places them. */
  readonly layout: readonly number[] | undefined;
}

/** Translates programs for a device, all of them on the qubits that the first finds the best. */
function fitAll(circuits: readonly Circuit[], target: Target | undefined): FittedCircuit[] {
  if (!target) return circuits.map(circuit => ({ circuit, layout: undefined }));
  let initialLayout: readonly number[] | undefined;
  return circuits.map(circuit => {
    const kept = initialLayout && !initialLayout.includes(-1) ? { initialLayout } : {};
    try {
      const fitted = transpile(circuit, target, { optimizationLevel: initialLayout ? 2 : 3, ...kept });
      initialLayout ??= fitted.initialLayout;
      return { circuit: fitted.circuit, layout: fitted.finalLayout };
    } catch (error) {
      if (!(error instanceof SimulationError)) throw error;
      throw new KetbookError(`estimate: ${error.message}`, { cause: error });
    }
  });
}

/** A program that prepares qubits in 0 or 1, and measures them. */
function calibration(physical: readonly number[], prepared: number, target: Target): Program {
  const width = Math.max(...physical) + 1;
  const empty = compile({ format: "qasm3", data: `OPENQASM 3.0;\nqubit[${width}] q;\n` });
  const gates = prepared ? physical.map(qubit => ({ gate: "x", qubits: [qubit] })) : [];
  const initialLayout = Array.from({ length: width }, (_, qubit) => qubit);
  return printed(
    transpile(measuredAfter(empty, gates, physical, REGISTER), target, {
      optimizationLevel: 0,
      initialLayout,
    }).circuit,
  );
}
