import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProgramError } from "../../../src/simulation/index.ts";
import { Lexer } from "../../../src/simulation/openqasm/syntax/lexer.ts";
import { parse } from "../../../src/simulation/openqasm/syntax/parse.ts";
import { loadOracle } from "../../corpus/antlr-oracle.ts";
import { randomProgram } from "./random-program.ts";

const isRead = (data: string): boolean => {
  try {
    parse({ format: "qasm3", data });
    return true;
  } catch (error) {
    if (error instanceof ProgramError) return false;
    throw error;
  }
};

/** Texts of the tokens of a program; what takes the rest of its line keeps the end of it. */
function tokensOf(program: string): string[] {
  const lexer = new Lexer(program, 1e6);
  const texts: string[] = [];
  for (let token = lexer.next(); token.kind !== "end"; token = lexer.next())
    texts.push(["pragma", "annotation"].includes(token.kind) ? `${token.text}\n` : token.text);
  return texts;
}

const folder = new URL("../../corpus/valid/", import.meta.url);
const corpus = readdirSync(folder)
  .filter(file => !file.startsWith("version-2"))
  .map(file => readFileSync(new URL(file, folder), "utf8"));
const statements = corpus.flatMap(data =>
  parse({ format: "qasm3", data })
    .statements.map(({ at, end }) => data.slice(at, end))
    .filter(({ length }) => length < 400),
);
const words = [...new Set(corpus.flatMap(tokensOf))].filter(word => !word.endsWith("\n"));

/** A statement with a token or two left out, put in or replaced. */
const slip = fc
  .tuple(
    fc.oneof(fc.constantFrom(...statements), randomProgram),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...words)), { minLength: 1, maxLength: 2 }),
  )
  .map(([statement, edits]) => {
    const tokens = tokensOf(statement);
    for (const [place, kind, word] of edits)
      tokens.splice(place % (tokens.length + 1), kind === 1 ? 0 : 1, ...(kind === 0 ? [] : [word]));
    return tokens.join(" ");
  });

/** What this front end knows better on purpose: parts of complex numbers are floats, arrays are joined in assignments as the text of the language has it, and calibrations are not split into tokens. */
const isKnown = (program: string): boolean =>
  /complex|OPENQASM|\+\+|cal\b|"|'|\.\s*\d|\d{90}/.test(program.replace(/"[01]+"/g, ""));

const oracle = loadOracle();

describe.skipIf(!oracle)("the language's own grammar", () => {
  test("takes every program of the corpus, as this front end does", () => {
    for (const program of corpus) expect([program, oracle!(program)]).toEqual([program, true]);
  });

  test("takes random programs that this front end reads", () => {
    fc.assert(
      fc.property(randomProgram, program => {
        expect(isRead(program)).toBe(true);
        expect(oracle!(program)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("agrees on what is well formed where tokens are left out, put in or replaced", () => {
    fc.assert(
      fc.property(slip, program => {
        fc.pre(!isKnown(program));
        expect([program, isRead(program)]).toEqual([program, oracle!(program)]);
      }),
      { numRuns: 1500 },
    );
  });
});
