import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { link } from "../interpreter/link.ts";
import type { Meter } from "../interpreter/meter.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import { philox } from "../sampling/philox.ts";
import { Branch } from "./branch.ts";
import type { QuantumState } from "./quantum-state.ts";

/** Maximum number of operations of a dry run. */
const MAX_OPERATIONS = 2 ** 19;

/**
 * Leads a program through a state that keeps no amplitudes but counts what they would take. Outcomes that the program
 * needs on its way are 0. Returns the operations, and whether no outcome was needed, so the count holds for every shot.
 * Returns undefined if the program is too long, or the state has thrown a {@link SimulationError}, as it is over a limit.
 */
export function dryRun(
  { parts }: Circuit,
  begin: (meter: Meter) => QuantumState,
): { readonly operations: number; readonly isCertain: boolean } | undefined {
  let operations = 0;
  const meter: Meter = {
    spend: () => {
      if (++operations > MAX_OPERATIONS) throw new SimulationError("The dry run is too long.");
    },
    work: () => {},
  };
  const slots = new Array(parts.numSlots).fill(0n);
  const branch = new Branch(begin(meter), parts.numBits, slots, null, philox(0));
  const program = link(parts);
  let isCertain = true;
  try {
    for (let stop = run(branch, program, meter); stop !== FINISHED; stop = run(branch, program, meter)) {
      isCertain = false;
      branch.decide(stop, 0);
    }
  } catch (error) {
    if (error instanceof SimulationError) return undefined;
    throw error;
  }
  return { operations, isCertain };
}
