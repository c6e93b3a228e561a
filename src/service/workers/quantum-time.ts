import type { RunTask } from "./messages.ts";

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
