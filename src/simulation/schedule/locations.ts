import type { Gate } from "../circuit/gate.ts";
import { marker } from "../circuit/timing-markers.ts";

/*
 * Noise locations: identity gates that a schedule inserts where noise acts. What noise that is, their parameters and
 * the noise model say.
 */

/** Relaxation of a qubit: the time in nanoseconds, and the probability of a phase flip besides. */
export const RELAXATION = marker("relaxation", 1, 2);
/** The noise of a gate on one qubit, or on two: its average infidelity and its length in nanoseconds. */
export const GATE_ERRORS = [marker("error of a gate", 1, 2), marker("error of a gate", 2, 2)] as const;
/** An X on each of one or two qubits at once, with the probability of its parameter. */
export const FLIPS = [marker("flip", 1, 1), marker("flip", 2, 1)] as const;

const LOCATIONS: ReadonlySet<Gate> = new Set([RELAXATION, ...GATE_ERRORS, ...FLIPS]);

export const isLocation = (gate: Gate): boolean => LOCATIONS.has(gate);
