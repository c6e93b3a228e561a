import { SimulationError } from "../../simulation/index.ts";
import type { RunTask } from "./messages.ts";

/** Hours for which one job may keep an emulated QPU busy: far more than 2000 programs of 100,000 shots take. */
const MAX_HOURS = 24;

/** Thrown where a job would keep an emulated QPU busy for too long. */
export class DeviceTimeError extends SimulationError {
  override name = "DeviceTimeError";
}

/** Throws a {@link DeviceTimeError} where the programs of a job, whose microseconds are given, take too long together. */
export function checkQuantumTime(durations: readonly number[]): void {
  const hours = durations.reduce((sum, each) => sum + each, 0) / 3.6e9;
  if (hours <= MAX_HOURS) return;
  throw new DeviceTimeError(
    `The job would keep the device busy for ${hours.toLocaleString("en-US", { maximumSignificantDigits: 2 })} hours; a job may take ${MAX_HOURS}. Use shorter delays, fewer shots or fewer programs.`,
  );
}

/**
 * Returns the microseconds for which a program keeps an emulated QPU busy, in whole numbers: its shots, each as long as
 * its schedule, in nanoseconds, and the device's reset, and its share of what the device takes for the whole job. It is
 * the same on every host.
 */
export function quantumTime(
  { shots, programs, overhead }: Pick<RunTask, "shots" | "overhead"> & { programs: readonly unknown[] },
  index: number,
  shotDuration: number,
): number {
  const perTask = Math.round(overhead.perTask * 1000);
  const share = Math.floor(perTask / programs.length) + (index < perTask % programs.length ? 1 : 0);
  return share + Math.round(shots * (shotDuration / 1000 + overhead.perShot));
}
