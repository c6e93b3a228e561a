import { readFileSync } from "node:fs";
import { z } from "zod";
import type { DeviceCalibration } from "../../src/contract/calibration.ts";
import type { Topology } from "../../src/contract/device.ts";

/** The figures of a public file about a QPU, all that the catalogue keeps of it. */
export interface Snapshot {
  topology: Topology;
  calibration: DeviceCalibration;
}

/** Rounds to significant digits. Default: 3. */
export const rounded = (value: number, digits = 3) => Number(value.toPrecision(digits));

/** Writes a time as ISO 8601 in UTC. */
export const moment = (text: string) => new Date(text).toISOString();

/** Compares pairs of qubits, for sorting. */
export const ascending = (a: [number, number], b: [number, number]) => a[0] - b[0] || a[1] - b[1];

/** Reads a JSON file, also one whose JSON is inside a string. Throws where it has not the form of the schema. */
export function readAs<T>(schema: z.ZodType<T>, file: string): T {
  const text: unknown = JSON.parse(readFileSync(file, "utf8"));
  const read = schema.safeParse(typeof text === "string" ? JSON.parse(text) : text);
  if (!read.success) throw new Error(`${file} is not of the form expected:\n${z.prettifyError(read.error)}`);
  return read.data;
}
