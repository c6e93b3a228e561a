/** A classical type of a single value; a width of null is that of a single bit, or the default of a number. */
export interface Type {
  readonly kind: "bool" | "bit" | "int" | "uint" | "float" | "angle" | "complex" | "duration";
  readonly width: number | null;
}

/** Width of an `int`, `uint` or `angle` that names none. */
export const DEFAULT_WIDTH = 64;

/** Maximum numbers of bits of a register, and of a number. */
export const MAX_WIDTH = { bit: 65_536, number: 1024, float: 64 };

export const BOOL: Type = { kind: "bool", width: null };
export const BIT: Type = { kind: "bit", width: null };
export const INT: Type = { kind: "int", width: null };
export const UINT: Type = { kind: "uint", width: null };
export const FLOAT: Type = { kind: "float", width: null };
export const COMPLEX_TYPE: Type = { kind: "complex", width: null };
export const DURATION: Type = { kind: "duration", width: null };

export const typeName = ({ kind, width }: Type): string =>
  width === null ? kind : kind === "complex" ? `complex[float[${width}]]` : `${kind}[${width}]`;

/** Returns a type with its article, for a sentence. */
export function withArticle(type: Type, isFirst = false): string {
  const name = typeName(type);
  return `${isFirst ? "A" : "a"}${/^[aeio]/.test(name) ? "n" : ""} ${name}`;
}

/** Whether a type is `bool` or a single `bit`, which stand for each other and are promoted to `int` in arithmetic. */
export const isBoolean = ({ kind, width }: Type): boolean =>
  kind === "bool" || (kind === "bit" && width === null);
export const isInteger = ({ kind }: Type): boolean => kind === "int" || kind === "uint";
export const isNumeric = (type: Type): boolean =>
  isInteger(type) || type.kind === "float" || type.kind === "angle";
/** Whether the values of a type have bits that a program can take one by one. */
export const hasBits = (type: Type): boolean =>
  isInteger(type) || type.kind === "bit" || type.kind === "angle";

export const bitsOf = ({ kind, width }: Type): number => width ?? (kind === "bit" ? 1 : DEFAULT_WIDTH);

/** Returns the value that a variable has before anything is assigned to it. */
export function zeroOf({ kind }: Type) {
  if (kind === "bool") return false;
  if (kind === "complex") return { re: 0, im: 0 };
  return kind === "float" || kind === "duration" ? 0 : 0n;
}

/** Brings a whole number into the range of a type. */
export function wrap(value: bigint, type: Type): bigint {
  return type.kind === "int" ? BigInt.asIntN(bitsOf(type), value) : BigInt.asUintN(bitsOf(type), value);
}
