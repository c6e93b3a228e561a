import type { RuntimeJob } from "../../contract/job.ts";
import type { ReadResult } from "./result-record.ts";

/** Options that the answer shows to be honored, with the member that it then has. */
const ANSWERED = { observables: "expectations", memory: "measurements", statevector: "statevector" } as const;

/**
 * Returns the options that a run asked for and the service ignored: those that the service names, and those of which the
 * answer lacks what they ask for. `shots: 0` is among them if the service drew shots.
 */
export function ignoredOptions(job: RuntimeJob, { data, record, isUserMade }: ReadResult): string[] {
  if ((isUserMade && !job.deviceQrn) || record.bits) return [];
  const named = Object(job.metadata).ignoredOptions as unknown;
  const options = Object(job.runtimeOptions) as { [option: string]: unknown };
  const isExact = data.probabilities !== null;
  const ignored = Array.isArray(named) ? named.filter(name => typeof name === "string") : [];
  for (const [option, member] of Object.entries(ANSWERED)) {
    const asked = Array.isArray(options[option]) ? options[option].length > 0 : options[option] === true;
    const needsShots = option === "memory";
    if (asked && !data[member] && !(needsShots && isExact)) ignored.push(option);
  }
  if (job.shots === 0 && !isExact) ignored.push("shots: 0");
  return [...new Set(ignored)];
}
