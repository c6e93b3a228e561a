import type { Value } from "../memory.ts";
import type { Operation } from "./operators.ts";
import { bitsOf, isBoolean, isInteger, type Type, wrap } from "./types.ts";

/** Whether a type is that of a register of bits. */
export const isRegister = (type: Type): boolean => type.kind === "bit" && !isBoolean(type);

/** Makes an operation of whole numbers take the bits of a register on one side. */
export function numbering(operation: Operation | null, type: Type, side: "left" | "right"): Operation | null {
  if (!operation) return null;
  const number = (value: Value) => wrap(value as bigint, type);
  return {
    type: operation.type,
    apply:
      side === "left" ? (a, b) => operation.apply(number(a), b) : (a, b) => operation.apply(a, number(b)),
  };
}

/** Whether a register is compared with values of a type: registers, numbers that take its bits, and one bit with one. */
export function isComparable(register: Type, other: Type): boolean {
  if (!isRegister(register) || isRegister(other)) return true;
  if (isInteger(other)) return other.width === null || other.width === register.width;
  return isBoolean(other) && bitsOf(register) === 1;
}
