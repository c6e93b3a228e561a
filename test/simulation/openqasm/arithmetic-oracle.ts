/** A type of OpenQASM, written for the oracle alone; numbers have a width. */
export interface OracleType {
  readonly kind: "bool" | "bit" | "int" | "uint" | "float" | "angle" | "complex" | "duration";
  readonly width: number;
}

export type OracleValue = boolean | bigint | number | readonly [re: number, im: number];

/** A value with its type. */
export interface Typed {
  readonly type: OracleType;
  readonly value: OracleValue;
}

const TURN = 2 * Math.PI;
const isWhole = ({ kind }: OracleType) => kind === "int" || kind === "uint";
const isReal = ({ kind }: OracleType) => kind === "float";

/** Returns the number of 0 to 2^width - 1, or of -2^(width - 1) to 2^(width - 1) - 1, that has the lowest bits of a number. */
function wrapped(value: bigint, { kind, width }: OracleType): bigint {
  const size = 1n << BigInt(width);
  const rest = ((value % size) + size) % size;
  return kind === "int" && rest >= size / 2n ? rest - size : rest;
}

const rounded = (value: number, { width }: OracleType) => (width === 32 ? Math.fround(value) : value);

/** Returns the nearest whole number, of two the even one. */
function nearest(value: number): bigint {
  const low = BigInt(Math.floor(value));
  const rest = value - Math.floor(value);
  return rest < 0.5 || (rest === 0.5 && low % 2n === 0n) ? low : low + 1n;
}

function angleOf(radians: number, type: OracleType): bigint {
  const rest = radians % TURN;
  return wrapped(nearest(((rest < 0 ? rest + TURN : rest) / TURN) * 2 ** type.width), type);
}

/** Brings an angle to another width, by exact halves. */
function resize(value: bigint, from: OracleType, to: OracleType): bigint {
  const added = to.width - from.width;
  if (added >= 0) return value * 2n ** BigInt(added);
  const unit = 2n ** BigInt(-added);
  const twice = 2n * (value % unit);
  const low = value / unit;
  return wrapped(twice > unit || (twice === unit && low % 2n === 1n) ? low + 1n : low, to);
}

const numberOf = ({ value }: Typed) => Number(value as bigint | boolean);

/** Returns what a value becomes where it is assigned to a variable of a type; null where it may not be. */
export function assignTo(given: Typed, to: OracleType): OracleValue | null {
  const { type: from, value } = given;
  if (from.kind === to.kind && from.width === to.width) return value;
  if (from.kind === "complex" || from.kind === "duration") return null;
  switch (to.kind) {
    case "bool":
      return numberOf(given) !== 0;
    case "bit":
      return from.width === to.width && from.kind !== "float" && from.kind !== "bool"
        ? wrapped(value as bigint, to)
        : null;
    case "int":
    case "uint":
      if (from.kind === "bool" || isWhole(from)) return wrapped(BigInt(value as bigint), to);
      if (isReal(from)) return wrapped(BigInt(Math.trunc(value as number)), to);
      return from.kind === "bit" && from.width === to.width ? wrapped(value as bigint, to) : null;
    case "float":
      return from.kind === "bit" || from.kind === "angle" ? null : rounded(numberOf(given), to);
    case "angle":
      if (isReal(from)) return angleOf(value as number, to);
      if (from.kind === "angle") return resize(value as bigint, from, to);
      return from.kind === "bit" && from.width === to.width ? (value as bigint) : null;
    case "complex":
      return from.kind === "bit" || from.kind === "angle" ? null : [numberOf(given), 0];
    default:
      return null;
  }
}

const INT64: OracleType = { kind: "int", width: 64 };

/** Returns the value of an operator, as the specification has it; null where it has none. */
export function applyOperator(operator: string, left: Typed, right: Typed): Typed | null {
  const [a, b] = [left, right].map(side =>
    side.type.kind === "bool" && operator !== "&&" && operator !== "||"
      ? { type: INT64, value: BigInt(side.value as boolean) }
      : side,
  ) as [Typed, Typed];
  if (operator === "&&" || operator === "||") return logical(operator, a, b);
  if (operator === "<<" || operator === ">>") return shifted(operator, a, b);
  if (isWhole(a.type) && isWhole(b.type)) return ofWhole(operator, a, b);
  if (a.type.kind === "bit" && b.type.kind === "bit") return ofBits(operator, a, b);
  if (a.type.kind === "angle" || b.type.kind === "angle") return ofAngles(operator, a, b);
  if (a.type.kind === "duration" || b.type.kind === "duration") return ofDurations(operator, a, b);
  if (a.type.kind === "complex" || b.type.kind === "complex") return ofComplex(operator, a, b);
  if (a.type.kind === "bit" || b.type.kind === "bit") return null;
  return ofReals(operator, a, b);
}

const truth = (value: boolean): Typed => ({ type: { kind: "bool", width: 1 }, value });

function compared(operator: string, a: bigint | number, b: bigint | number): Typed | null {
  const order = a < b ? -1 : a > b ? 1 : 0;
  const results: Record<string, boolean> = {
    ...{
      "<": order < 0,
      "<=": order <= 0,
      ">": order > 0,
      ">=": order >= 0,
      "==": order === 0,
      "!=": order !== 0,
    },
  };
  return operator in results ? truth(results[operator]!) : null;
}

function logical(operator: string, a: Typed, b: Typed): Typed | null {
  const bools = [a, b].map(side => assignTo(side, { kind: "bool", width: 1 }));
  if (bools.includes(null)) return null;
  return truth(operator === "&&" ? bools[0] === true && bools[1] === true : bools.includes(true));
}

function shifted(operator: string, a: Typed, b: Typed): Typed | null {
  const by = b.value as bigint;
  const hasBits = isWhole(a.type) || a.type.kind === "bit" || a.type.kind === "angle";
  if (!hasBits || !isWhole(b.type) || by < 0n || by > 200n) return null;
  const factor = 2n ** by;
  if (operator === "<<") return { type: a.type, value: wrapped((a.value as bigint) * factor, a.type) };
  const value = a.value as bigint;
  const rest = ((value % factor) + factor) % factor;
  return { type: a.type, value: (value - rest) / factor };
}

function ofWhole(operator: string, left: Typed, right: Typed): Typed | null {
  const [p, q] = [left.type, right.type];
  const kind = p.kind === "uint" || q.kind === "uint" ? "uint" : "int";
  const type = p.width > q.width ? p : q.width > p.width ? q : ({ kind, width: p.width } as const);
  const [a, b] = [left.value as bigint, right.value as bigint];
  // Narrow operands of a comparison become an int, which holds them; those of 64 bits and more follow the wider type.
  const isExact = type.width < 64 || type.kind === "int" || p.kind === q.kind;
  const order = isExact ? compared(operator, a, b) : compared(operator, wrapped(a, type), wrapped(b, type));
  if (order) return order;
  const value = wholeResult(operator, wrapped(a, type), operator === "**" ? b : wrapped(b, type), type);
  return value === null ? null : { type, value: wrapped(value, type) };
}

function wholeResult(operator: string, a: bigint, b: bigint, type: OracleType): bigint | null {
  const size = 1n << BigInt(type.width);
  const [p, q] = [a < 0n ? a + size : a, b < 0n ? b + size : b];
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0n ? null : a / b;
    case "%":
      return b === 0n ? null : a - b * (a / b);
    case "**":
      return b < 0n || b > 40n ? null : a ** b;
    case "&":
      return p & q;
    case "|":
      return p | q;
    case "^":
      return p ^ q;
    default:
      return null;
  }
}

function ofBits(operator: string, a: Typed, b: Typed): Typed | null {
  if (a.type.width !== b.type.width) return null;
  const [p, q] = [a.value as bigint, b.value as bigint];
  const order = compared(operator, p, q);
  if (order) return order;
  return "&|^".includes(operator) ? { type: a.type, value: wholeResult(operator, p, q, a.type)! } : null;
}

function ofAngles(operator: string, left: Typed, right: Typed): Typed | null {
  const [p, q] = [left.type, right.type];
  if (p.kind === "angle" && q.kind === "angle") {
    const type = q.width > p.width ? q : p;
    const [a, b] = [resize(left.value as bigint, p, type), resize(right.value as bigint, q, type)];
    const order = compared(operator, a, b);
    if (order) return order;
    if (operator === "/")
      return b === 0n ? null : { type: { kind: "uint", width: type.width }, value: a / b };
    if ("&|^".includes(operator) && p.width !== q.width) return null;
    return "+-&|^".includes(operator)
      ? { type, value: wrapped(wholeResult(operator, a, b, type)!, type) }
      : null;
  }
  const [angle, other] = p.kind === "angle" ? [left, right] : [right, left];
  const { type } = angle;
  if (isWhole(other.type)) {
    const [a, b] = [angle.value as bigint, other.value as bigint];
    if (operator === "*") return { type, value: wrapped(a * b, type) };
    return operator === "/" && p.kind === "angle" && b !== 0n ? { type, value: wrapped(a / b, type) } : null;
  }
  if (!isReal(other.type)) return null;
  const order = compared(operator, assignTo(left, type) as bigint, assignTo(right, type) as bigint);
  if (order) return order;
  const radians = ({ type: of, value }: Typed) =>
    of.kind === "angle" ? (Number(value) / 2 ** of.width) * TURN : (value as number);
  const [a, b] = [radians(left), radians(right)];
  if (operator !== "+" && operator !== "-") return null;
  return { type, value: angleOf(operator === "+" ? a + b : a - b, type) };
}

function realResult(operator: string, a: number, b: number): number | null {
  const results: Record<string, number | null> = {
    ...{ "+": a + b, "-": a - b, "*": a * b, "/": b === 0 ? null : a / b },
  };
  return results[operator] ?? null;
}

function ofReals(operator: string, left: Typed, right: Typed): Typed | null {
  const order = compared(operator, left.value as number, right.value as number);
  if (order) return order;
  const isNarrow = [left.type, right.type].every(type => isWhole(type) || type.width === 32);
  const type: OracleType = { kind: "float", width: isNarrow ? 32 : 64 };
  const result = realResult(operator, numberOf(left), numberOf(right));
  return result === null ? null : { type, value: rounded(result, type) };
}

function ofDurations(operator: string, left: Typed, right: Typed): Typed | null {
  const [p, q] = [left.type, right.type];
  const result = realResult(operator, numberOf(left), numberOf(right));
  if (p.kind === q.kind) {
    const order = compared(operator, left.value as number, right.value as number);
    if (order) return order;
    if (operator === "/")
      return result === null ? null : { type: { kind: "float", width: 64 }, value: result };
    return operator === "+" || operator === "-" ? { type: p, value: result! } : null;
  }
  const other = p.kind === "duration" ? q : p;
  const isScaled = operator === "*" || (operator === "/" && p.kind === "duration");
  if (!isScaled || result === null || !(isWhole(other) || isReal(other))) return null;
  return { type: { kind: "duration", width: 64 }, value: result };
}

function ofComplex(operator: string, left: Typed, right: Typed): Typed | null {
  const type: OracleType = { kind: "complex", width: 64 };
  const [x, y] = [assignTo(left, type), assignTo(right, type)] as (readonly [number, number] | null)[];
  if (!x || !y) return null;
  const [[a, b], [c, d]] = [x, y];
  switch (operator) {
    case "+":
      return { type, value: [a + c, b + d] };
    case "-":
      return { type, value: [a - c, b - d] };
    case "*":
      return { type, value: [a * c - b * d, a * d + b * c] };
    case "==":
      return truth(a === c && b === d);
    case "!=":
      return truth(a !== c || b !== d);
    default:
      return null;
  }
}
