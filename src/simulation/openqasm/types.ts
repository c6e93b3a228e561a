import type { Compute, Value } from "../circuit/memory.ts";

/** A classical type; a width of null is that of a single bit, or the default of a number. */
export interface Type {
  readonly kind: "bool" | "bit" | "int" | "uint" | "float" | "angle";
  readonly width: number | null;
}

/** Width of an `int` or `uint` that names none. */
export const DEFAULT_WIDTH = 64;
const TURN = 2 * Math.PI;

export const BOOL: Type = { kind: "bool", width: null };
export const BIT: Type = { kind: "bit", width: null };
export const INT: Type = { kind: "int", width: null };
export const UINT: Type = { kind: "uint", width: null };
export const FLOAT: Type = { kind: "float", width: null };
export const ANGLE: Type = { kind: "angle", width: null };

/** Gives a type as a program writes it. */
export const typeName = ({ kind, width }: Type): string => (width === null ? kind : `${kind}[${width}]`);

export const isInteger = ({ kind }: Type): boolean => kind === "int" || kind === "uint";
const isReal = ({ kind }: Type): boolean => kind === "float" || kind === "angle";
export const isNumeric = (type: Type): boolean => isInteger(type) || isReal(type);

/** Brings a whole number into the range of a type. */
export function wrap(value: bigint, { kind, width }: Type): bigint {
  if (kind === "int") return BigInt.asIntN(width ?? DEFAULT_WIDTH, value);
  return BigInt.asUintN(kind === "bit" ? (width ?? 1) : (width ?? DEFAULT_WIDTH), value);
}

/** Brings an angle into [0, 2π), in steps of 2π / 2^width where there is a width. */
export function wrapAngle(value: number, width: number | null): number {
  const turns = value / TURN - Math.floor(value / TURN);
  if (width === null || width > 52) return turns * TURN;
  const steps = 2 ** width;
  return ((Math.round(turns * steps) % steps) / steps) * TURN;
}

/**
 * Gives the function that turns values of one type into those of another, or null where there is none.
 * Without `isCast`, only what loses nothing by accident is allowed.
 */
export function conversion(from: Type, to: Type, isCast: boolean): ((value: Value) => Value) | null {
  switch (to.kind) {
    case "bool":
      return from.kind === "bool" ? same : value => Number(value) !== 0;
    case "bit":
      if (from.kind === "bool") return (to.width ?? 1) === 1 ? value => (value ? 1n : 0n) : null;
      if (from.kind === "bit") return (from.width ?? 1) === (to.width ?? 1) ? same : null;
      if (isInteger(from) && (isCast || from.width === to.width || from.width === null))
        return value => BigInt.asUintN(to.width ?? 1, value as bigint);
      return null;
    case "int":
    case "uint":
      if (from.kind === "bool") return value => (value ? 1n : 0n);
      if (from.kind === "bit" || isInteger(from)) return value => wrap(value as bigint, to);
      return isCast && from.kind === "float" ? value => wrap(truncate(value as number), to) : null;
    case "float":
      if (from.kind === "angle" && !isCast) return null;
      if (from.kind === "bit") return null;
      return to.width !== null && to.width <= 32 ? value => Math.fround(Number(value)) : Number;
    case "angle":
      if (from.kind === "bit" && isCast) return value => (Number(value) / 2 ** (from.width ?? 1)) * TURN;
      if (from.kind === "bit" || from.kind === "bool") return null;
      return value => wrapAngle(Number(value), to.width);
  }
}

/** Composes a conversion with the computation of what it converts. */
export const converted =
  (run: Compute, convert: (value: Value) => Value): Compute =>
  memory =>
    convert(run(memory));

const same = (value: Value): Value => value;
const truncate = (value: number): bigint => (Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n);
