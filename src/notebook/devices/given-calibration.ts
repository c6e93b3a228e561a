import { KetbookError } from "../../client/errors.ts";
import type { DeviceCalibration, EdgeFigure, QubitCalibration } from "../../contract/calibration.ts";
import { shownValue } from "../../contract/options.ts";
import type { CalibrationRecord } from "./calibration.ts";

const FIGURES = [
  "T1",
  "T2",
  "frequency",
  "readoutError",
  "prob0Given1",
  "prob1Given0",
  "readoutLength",
] as const;

function wrong(at: string, wanted: string, value: unknown): KetbookError {
  return new KetbookError(`Calibration.from: ${at} must be ${wanted}, not ${shownValue(value)}.`);
}

function membersOf(at: string, value: unknown): [string, unknown][] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(at, "an object", value);
  return Object.entries(value);
}

function numberAt(at: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(at, "a number", value);
  return value;
}

function qubitAt(at: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw wrong(at, "the number of a qubit", value);
}

const numbersOf = (at: string, value: unknown): { [gate: string]: number } =>
  Object.fromEntries(membersOf(at, value).map(([gate, figure]) => [gate, numberAt(`${at}.${gate}`, figure)]));

function readQubit(at: string, given: unknown): QubitCalibration {
  const members = new Map(membersOf(at, given));
  const figure = (name: string) => {
    const value = members.get(name) ?? null;
    return value === null ? null : numberAt(`${at}.${name}`, value);
  };
  return {
    ...(Object.fromEntries(FIGURES.map(name => [name, figure(name)])) as Record<
      (typeof FIGURES)[number],
      null
    >),
    gateError: numbersOf(`${at}.gateError`, members.get("gateError")),
    gateLength: numbersOf(`${at}.gateLength`, members.get("gateLength")),
  };
}

function readPairs(at: string, given: unknown): { [gate: string]: EdgeFigure[] } {
  return Object.fromEntries(
    membersOf(at, given).map(([gate, list]) => {
      if (!Array.isArray(list)) throw wrong(`${at}.${gate}`, "a list of { source, target, value }", list);
      const pairs = list.map((pair: Partial<EdgeFigure> | null, index) => ({
        source: qubitAt(`${at}.${gate}[${index}].source`, pair?.source),
        target: qubitAt(`${at}.${gate}[${index}].target`, pair?.target),
        value: numberAt(`${at}.${gate}[${index}].value`, pair?.value),
      }));
      return [gate, pairs];
    }),
  );
}

/** Reads a calibration that a person wrote. Throws a `KetbookError` that names the member that is wrong. */
export function readGivenCalibration(given: CalibrationRecord): DeviceCalibration {
  const qubits = membersOf("qubits", given.qubits).map(([qubit, figures]) => [
    String(qubitAt(`the name of qubit ${shownValue(qubit)}`, Number(qubit))),
    readQubit(`qubits.${qubit}`, figures),
  ]);
  const edges = new Map(membersOf("edges", given.edges));
  return {
    deviceQrn: given.deviceQrn ?? "",
    provider: given.provider ?? null,
    lastCalibrated: given.lastCalibrated ?? null,
    fetchedAt: null,
    qubits: Object.fromEntries(qubits),
    edges: {
      gateError: readPairs("edges.gateError", edges.get("gateError")),
      gateLength: readPairs("edges.gateLength", edges.get("gateLength")),
    },
  };
}
