import { readFileSync } from "node:fs";
import {
  compile,
  type DeviceFigures,
  type DeviceOptions,
  deviceFigures,
  simulateDevice,
} from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";

/** Returns the figures of an emulated device by its last name. */
export function figuresOf(name: string): DeviceFigures {
  const file = new URL(`../../../src/service/catalogue/calibrations/${name}.json`, import.meta.url);
  return deviceFigures(JSON.parse(readFileSync(file, "utf8")));
}

export const perth = figuresOf("perth");

export const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });

/** Returns the exact distribution of a program on a device. */
export const exactOn = (device: DeviceFigures, body: string, noise: DeviceOptions["noise"] = {}) =>
  simulateDevice(circuit(body), device, { shots: 0, noise }).measurementProbabilities!;

/** Returns how many of so many shots on perth gave each outcome. */
export const countsOn = (device: DeviceFigures, body: string, options: Partial<DeviceOptions> = {}) =>
  simulateDevice(circuit(body), device, { shots: 20_000, seed: 5, ...options }).measurementCounts;

/** Whether a count is within 6 standard deviations of what is expected, which chance exceeds once in 5·10^8. */
export function isWithin(count: number, shots: number, probability: number): boolean {
  const deviation = Math.sqrt(shots * probability * (1 - probability)) + 1e-9;
  return Math.abs(count - shots * probability) < 6 * deviation + 1;
}
