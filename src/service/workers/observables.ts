import { type Observable, readObservable } from "../../results/index.ts";
import { type PauliSum, SimulationError } from "../../simulation/index.ts";

/** Reads the observables of a run; throws a SimulationError for one that does not fit a program of so many qubits. */
export function readObservables(observables: readonly Observable[], numQubits: number): PauliSum[] {
  const qubits = Array.from({ length: numQubits }, (_, qubit) => qubit);
  return observables.map((observable, index) => {
    try {
      return readObservable(observable, qubits, "qubits").map(({ coefficient, factors }) => ({
        coefficient,
        string: Array.from(factors, ([qubit, pauli]) => ({ qubit, pauli })),
      }));
    } catch (error) {
      if (error instanceof RangeError) throw new SimulationError(`observables[${index}]: ${error.message}`);
      throw error;
    }
  });
}
