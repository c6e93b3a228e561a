import { bitCondition, type Expression, valueCondition } from "../../simulation/index.ts";
import type { Qubits } from "./gates.ts";

/** A condition: that a bit is 1, that a bit is 0 or 1, or that bits are a whole number. */
export type Condition =
  | number
  | {
      /** Number of a bit. */
      readonly bit: number;
      /** Its value. */
      readonly is: 0 | 1;
    }
  | {
      /** Whole number that the bits make, the first as the lowest. */
      readonly value: number;
      /** Numbers of these bits. Default: all. */
      readonly bits?: readonly number[];
    };

/** Reads a condition on the bits that `placesOf` finds, by default on all. Throws a RangeError for anything else. */
export function readCondition(
  condition: Condition,
  placesOf: (bits?: Qubits) => readonly number[],
): Expression {
  if (typeof condition === "number") return bitCondition(placesOf(condition)[0]!, true);
  const given = Object(condition) as { bit?: number; is?: 0 | 1; value?: number; bits?: number[] };
  const { bit, is, value, bits } = given;
  const keys = Object.keys(given).sort().join();
  if (keys === "bit,is" && (is === 0 || is === 1)) return bitCondition(placesOf(bit)[0]!, is === 1);
  const places = placesOf(bits);
  if (new Set(places).size < places.length) throw new RangeError("a condition is on different bits.");
  const isPossible = Number.isSafeInteger(value) && value! >= 0 && value! < 2 ** places.length;
  if (isPossible && (keys === "value" || keys === "bits,value")) return valueCondition(places, value!);
  throw new RangeError(
    `a condition is the number of a bit, { bit: 0, is: 1 }, { bits: [0, 1], value: 2 }, or { value: n } with a number that ${bits ? "these" : "all"} ${places.length} bits can have.`,
  );
}
