import type { Gate } from "../../circuit/gate.ts";
import { GPHASE, QASM2_BUILT_IN, QELIB1, QELIB1_SOURCE, STDGATES, U3 } from "../../circuit/standard.ts";
import { gatesIn } from "./compile.ts";

/** The gates that the language brings, and the files that can be included. */
export interface Library {
  readonly builtIn: readonly Gate[];
  readonly files: readonly string[];
  /** Gives the gates of a file, or undefined where there is none of that name. */
  gatesOf(file: string): readonly Gate[] | undefined;
  /** Gives the file that declares a gate. */
  fileOf(name: string): string | undefined;
  /** Tells whether a gate comes from one of the files, so that a program may define its own in its place. */
  isOwn(gate: Gate): boolean;
}

let qelib1: readonly Gate[] | undefined;

/** Gives the gates of `qelib1.inc`. */
function qelib1Gates(): readonly Gate[] {
  qelib1 ??= [...QELIB1, ...gatesIn(QELIB1_SOURCE, [...QELIB1])];
  return qelib1;
}

/** Gives the gates of `stdgates.inc`, with the two-qubit rotations that other tools have in it. */
function stdgates(): readonly Gate[] {
  return [...STDGATES, ...qelib1Gates().filter(({ name }) => ["rxx", "rzz", "sxdg"].includes(name))];
}

/** Gives the library of a version of the language. */
export function libraries(isVersion2: boolean): Library {
  const files: Record<string, () => readonly Gate[]> = isVersion2
    ? { "qelib1.inc": qelib1Gates, "stdgates.inc": () => STDGATES }
    : { "stdgates.inc": stdgates, "qelib1.inc": qelib1Gates };
  const declares = (file: string, name: string) =>
    (file === "stdgates.inc" ? STDGATES : QELIB1).some(gate => gate.name === name) ||
    (file === "qelib1.inc" && QELIB1_SOURCE.includes(`gate ${name}`));
  return {
    builtIn: isVersion2 ? QASM2_BUILT_IN : [U3, GPHASE],
    files: Object.keys(files),
    gatesOf: file => (Object.hasOwn(files, file) ? files[file]!() : undefined),
    fileOf: name => (/^\w+$/.test(name) ? Object.keys(files).find(file => declares(file, name)) : undefined),
    isOwn: gate => STDGATES.includes(gate) || qelib1Gates().includes(gate),
  };
}
