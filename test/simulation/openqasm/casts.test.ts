import { describe, expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";
import { diagnose } from "./diagnose.ts";
import { HEAD, outputsOf } from "./support.ts";

/** The bits of an angle of 64 bits whose first ones are given. */
const wide = (bits: string) => bits.padEnd(64, "0");

/** The types of the table of allowed casts, each with a value of it. */
const TYPES: readonly (readonly [type: string, value: string])[] = [
  ["bool", "true"],
  ["bit", "1"],
  ["bit[4]", '"1010"'],
  ["int", "-3"],
  ["int[4]", "-3"],
  ["int[8]", "100"],
  ["uint", "5"],
  ["uint[4]", "13"],
  ["uint[8]", "200"],
  ["float", "2.7"],
  ["float[32]", "0.1"],
  ["angle", "pi / 2"],
  ["angle[4]", "9 * pi / 8"],
  ["angle[8]", "pi / 128"],
  ["complex", "2 + 3im"],
  ["duration", "20ns"],
  ["stretch", "0ns"],
  ["array[int[8], 2]", "{1, 2}"],
];

/**
 * What becomes of each value in each type, in the order of {@link TYPES}: by itself, by a cast alone (`cast`), or not
 * at all (`-`). Angles are shown as their bits, complex numbers as their real parts.
 */
const TABLE = `
bool             true true cast:0001 1 1 1 1 1 1 1 1 - - - 1 - - -
bit              true true cast:0001 1 1 1 1 1 1 1 1 - - - 1 - - -
bit[4]           true true 1010 10 -6 - 10 10 - - - - 1010 - - - - -
int              true true - -3 -3 -3 18446744073709551613 13 253 -3 -3 - - - -3 - - -
int[4]           true true 1101 -3 -3 -3 18446744073709551613 13 253 -3 -3 - - - -3 - - -
int[8]           true true - 100 4 100 100 4 100 100 100 - - - 100 - - -
uint             true true - 5 5 5 5 5 5 5 5 - - - 5 - - -
uint[4]          true true 1101 13 -3 13 13 13 13 13 13 - - - 13 - - -
uint[8]          true true - 200 -8 -56 200 8 200 200 200 - - - 200 - - -
float            true true - 2 2 2 2 2 2 2.7 ${Math.fround(2.7)} ? 0111 01101110 2.7 - - -
float[32]        true true - 0 0 0 0 0 0 ${Math.fround(0.1)} ${Math.fround(0.1)} ? 0000 00000100 ${Math.fround(0.1)} - - -
angle            true true - - - - - - - - - ${wide("01")} 0100 01000000 - - - -
angle[4]         true true 1001 - - - - - - - - ${wide("1001")} 1001 10010000 - - - -
angle[8]         true true - - - - - - - - - ${wide("00000001")} 0000 00000001 - - - -
complex          - - - - - - - - - - - - - - 2 - - -
duration         - - - - - - - - - - - - - - - 20 20 -
stretch          - - - - - - - - - - - - - - - 0 0 -
array[int[8],2]  - - - - - - - - - - - - - - - - - 1,2`;

const rows = TABLE.trim()
  .split("\n")
  .map(row => row.trim().split(/\s+/).slice(1));

const pairs = TYPES.flatMap(([from, value], i) =>
  TYPES.map(([to], j) => ({ from, value, to, entry: rows[i]![j]! })),
);

/** Returns what a program shows of a value of a type. */
function shown(type: string, name: string): string {
  const width = /^angle(?:\[(\d+)\])?$/.exec(type);
  if (width) return `bit[${width[1] ?? 64}] shown = bit[${width[1] ?? 64}](${name});`;
  return type === "complex" ? `float shown = real(${name});` : `output ${type} shown; shown = ${name};`;
}

function convertedValue(body: string, type: string): string {
  const value = outputsOf(`${body} ${shown(type, "to")}`).shown;
  return type.startsWith("bit") && type !== "bit[4]" ? String(value === "1") : String(value);
}

describe("the table of allowed casts", () => {
  test("has an entry for each pair", () => {
    expect(rows.map(row => row.length)).toEqual(TYPES.map(() => TYPES.length));
  });

  test.each(pairs)("$from to $to", ({ from, value, to, entry }) => {
    const declared = `${from} value = ${value};`;
    const assigned = `${declared} ${to} to; to = value;`;
    const cast = `${declared} ${to} to = ${to}(value);`;
    const wanted = entry.replace("cast:", "");
    const isArray = from.startsWith("array") || to.startsWith("array");
    const isAccepted = (body: string) => diagnose(HEAD + body).length === 0;
    expect(isAccepted(assigned)).toBe(wanted === entry && entry !== "-");
    if (!isArray) expect(isAccepted(cast)).toBe(entry !== "-");
    if (entry === "-" || entry === "?") return;
    if (wanted === entry) expect(convertedValue(assigned, to)).toBe(wanted);
    if (!isArray) expect(convertedValue(cast, to)).toBe(wanted);
  });
});

describe("constants", () => {
  test.each([
    ["angle[4] a = 0;", true],
    ["angle[4] a = 1;", false],
    ["angle[4] a = 0 + 0;", true],
    ["int n = 0; angle[4] a = n;", false],
    ['angle[4] a = "1010";', true],
    ['angle[4] a = "101";', false],
    ['const angle[4] a = "1010";', true],
    ["bit[4] c = 15; c = -8;", true],
    ["bit[4] c = 16;", false],
    ["bit[4] c = -9;", false],
    ["int n = 3; bit[4] c = n;", false],
    ["const int n = 3; bit[4] c = n;", true],
    ["bit[64] c; int n = 3; c = n;", true],
    ["const int n = 2.5;", false],
    ["const int n = int(2.5);", true],
    ["const bool b = 2; const float f = b; const complex z = f;", true],
    ["float f = sqrt(angle(pi));", false],
    ["float f = sin(angle(pi)) + cos(angle(pi)) + tan(angle(pi));", true],
    ["angle a = pi; qubit q; rx(a) q;", true],
  ])("%s", (body, isTaken) => {
    expect(diagnose(HEAD + body).length === 0).toBe(isTaken);
  });

  test("that do not fit say what becomes of them", () => {
    const notesOf = (body: string) =>
      compile({ format: "qasm3", data: HEAD + body }).parts.notes.map(({ message }) => message);
    expect(notesOf("uint[4] n = 16;")).toEqual([
      expect.stringMatching(/16 does not fit .* uint\[4\].* 0, as in C/),
    ]);
    expect(notesOf("int[4] n; n = 8;")).toEqual([
      expect.stringMatching(/8 does not fit .* int\[4\].* -8, as in C/),
    ]);
    expect(notesOf("uint[4] n = 15; int[4] m = -8;")).toEqual([]);
  });
});

/** Kinds of operands, with a value of each. */
const OPERANDS = {
  b: "true",
  c: '"1010"',
  i: "int[8](6)",
  u: "uint[8](6)",
  f: "1.5",
  a: "angle[8](1.5)",
  z: "1im",
  d: "2ns",
};
/** The pairs of operands that each operator takes, written left and right. */
const TAKEN: Readonly<Record<string, string>> = {
  "+": "bb bc cb bi bu bf bz ib ii iu if iz ub ui uu uf uz fb fi fu ff fa fz af aa zb zi zu zf zz dd",
  "-": "bb bc cb bi bu bf bz ib ii iu if iz ub ui uu uf uz fb fi fu ff fa fz af aa zb zi zu zf zz dd",
  "*": "bb bc cb bi bu bf ba bz bd ib ii iu if ia iz id ub ui uu uf ua uz ud fb fi fu ff fz fd ab ai au zb zi zu zf zz db di du df",
  "/": "bb bc cb bi bu bf bz ib ii iu if iz ub ui uu uf uz fb fi fu ff fz ab ai au aa zb zi zu zf zz db di du df dd",
  "%": "bb bc cb bi bu ib ii iu ub ui uu",
  "**": "bb bc cb bi bu bf bz ib ii iu if iz ub ui uu uf uz fb fi fu ff fz zb zi zu zf zz",
  "<": "bb bi bu bf cc ib ii iu if ub ui uu uf fb fi fu ff fa af aa dd",
  "==": "bb bi bu bf bz cc ib ii iu if iz ub ui uu uf uz fb fi fu ff fa fz af aa zb zi zu zf zz dd",
  "&&": "bb bc bi bu bf ba cb cc ci cu cf ca ib ic ii iu if ia ub uc ui uu uf ua fb fc fi fu ff fa ab ac ai au af aa",
  "&": "bb bi bu cc ib ii iu ub ui uu aa",
  "<<": "bb bi bu cb ci cu ib ii iu ub ui uu ab ai au",
};

describe("operators", () => {
  test.each(Object.entries(TAKEN))("%s takes what it is defined for", (operator, taken) => {
    const kinds = Object.entries(OPERANDS);
    const found = kinds.flatMap(([left, a]) =>
      kinds.filter(([, b]) => diagnose(`${a} ${operator} ${b};`).length === 0).map(([right]) => left + right),
    );
    expect(found.toSorted()).toEqual(taken.split(" ").toSorted());
  });

  test.each([
    ["int[4] x = c + int[4](1);", -5],
    ["uint[4] x = uint[4](1) + c;", 11],
    ["int x = 2 * c;", 20],
    ["int n = 3; int x = n - c;", -7],
    ["bool x = c == 10;", true],
    ["bool x = c < uint[4](11);", true],
    ["int n = 3; bit[4] x = c & n;", "0010"],
    ["bool x = c[0:0] == false;", true],
  ])("take the bits of a register as a number of their width: %s gives %s", (body, value) => {
    expect(outputsOf(`bit[4] c = "1010"; ${body}`).x).toBe(value);
  });

  test.each([
    "c + int[5](1)",
    "c == uint[8](1)",
    "c & int[8](1)",
    "c == true",
    "c < 1.5",
    "c * c",
    "-c",
    "c + 1.5",
  ])("refuse other registers: %s", expression => {
    expect(diagnose(`bit[4] c; ${expression};`)).toHaveLength(1);
  });
});
