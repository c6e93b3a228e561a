import fc from "fast-check";
import { expect, test } from "vitest";
import {
  applyOperator,
  assignTo,
  type OracleType,
  type OracleValue,
  type Typed,
} from "./arithmetic-oracle.ts";
import { outputsOf } from "./support.ts";

const OPERATORS = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "**",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  "<",
  "<=",
  ">",
  ">=",
  "==",
  "!=",
  "&&",
  "||",
];

const width = fc.constantFrom(1, 3, 8, 17, 31, 32, 33, 63, 64, 65, 100);
const anyType: fc.Arbitrary<OracleType> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("int" as const, "uint" as const), width }) },
  fc.record({ kind: fc.constant("bit" as const), width: fc.constantFrom(1, 4, 8, 64) }),
  fc.record({ kind: fc.constant("angle" as const), width: fc.constantFrom(1, 4, 8, 20, 32) }),
  fc.record({ kind: fc.constant("float" as const), width: fc.constantFrom(32, 64) }),
  fc.constantFrom<OracleType>(
    ...[{ kind: "bool", width: 1 } as const, { kind: "complex", width: 64 } as const],
    { kind: "duration", width: 64 },
  ),
);

const nameOf = ({ kind, width }: OracleType): string =>
  kind === "bool" || kind === "duration"
    ? kind
    : kind === "complex"
      ? "complex[float[64]]"
      : `${kind}[${width}]`;

const written = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value));

const bits = (value: bigint, { width }: OracleType): string =>
  `"${BigInt.asUintN(width, value).toString(2).padStart(width, "0")}"`;

/** Returns a literal of a type, as the program writes it. */
function literal({ type, value }: Typed): string {
  switch (type.kind) {
    case "bool":
      return String(value);
    case "float":
      return written(value as number);
    case "duration":
      return `${written(value as number)}ns`;
    case "complex": {
      const [re, im] = value as readonly [number, number];
      return `${written(re)} + ${written(im)}im`;
    }
    case "bit":
    case "angle":
      return bits(value as bigint, type);
    default:
      return `${nameOf(type)}(${bits(value as bigint, type)})`;
  }
}

const real = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: 1, max: 4000 }).map(n => n / 64),
  fc.constant(0.1),
);
const anyValue = fc
  .tuple(
    anyType,
    fc.bigInt({ min: 0n, max: (1n << 100n) - 1n }),
    fc.integer({ min: -3, max: 9 }),
    fc.boolean(),
    real,
    real,
  )
  .map(([type, large, small, isSmall, re, im]): Typed => {
    const whole = isSmall ? BigInt(small) : large;
    switch (type.kind) {
      case "bool":
        return { type, value: isSmall };
      case "complex":
        return { type, value: [re, im] };
      case "float":
        return { type, value: type.width === 32 ? Math.fround(re) : re };
      case "duration":
        return { type, value: re };
      case "int":
        return { type, value: BigInt.asIntN(type.width, whole) };
      default:
        return { type, value: BigInt.asUintN(type.width, whole) };
    }
  });

/** Two values, an operator, and the type that its result is assigned to; whether the values are constants. */
const anyStep = fc.record({
  left: anyValue,
  right: anyValue,
  operator: fc.constantFrom(...OPERATORS),
  to: anyType,
  isConst: fc.boolean(),
});

/** Returns what a program shows of a value. */
function shown({ kind }: OracleType, value: OracleValue): unknown {
  if (kind === "complex" || kind === "bool") return value;
  return kind === "float" || kind === "duration" ? value : String(value);
}

test("operators and assignments of random types and widths give what exact arithmetic gives", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 20, maxLength: 20 }), steps => {
      const lines: string[] = [];
      const expected: Record<string, unknown> = {};
      steps.forEach(({ left, right, operator, to, isConst }, i) => {
        const result = applyOperator(operator, left, right);
        if (!result) return;
        const direct = assignTo(result, to);
        const type = direct === null ? result.type : to;
        const value = direct ?? result.value;
        const prefix = isConst ? "const " : "";
        lines.push(`${prefix}${nameOf(left.type)} l${i} = ${literal(left)};`);
        lines.push(`${prefix}${nameOf(right.type)} r${i} = ${literal(right)};`);
        lines.push(`${nameOf(type)} v${i}; v${i} = l${i} ${operator} r${i};`);
        const inBits =
          type.kind === "bit" || type.kind === "angle"
            ? `uint[${type.width}](bit[${type.width}](v${i}))`
            : `v${i}`;
        const output = type.kind === "bit" || type.kind === "angle" ? `uint[${type.width}]` : nameOf(type);
        lines.push(`output ${output} o${i}; o${i} = ${inBits};`);
        expected[`o${i}`] = shown(type, value);
      });
      const found = outputsOf(lines.join("\n"));
      const read = Object.fromEntries(
        Object.keys(expected).map(key => [
          key,
          typeof expected[key] === "string" ? String(found[key]) : found[key],
        ]),
      );
      expect(read).toEqual(expected);
    }),
    {
      numRuns: Number(process.env.ARITHMETIC_RUNS ?? 40),
      ...(process.env.ARITHMETIC_RUNS ? {} : { seed: 17 }),
    },
  );
});
