import { constant, type Expression } from "../../circuit/expression.ts";
import type { Value } from "../../circuit/memory.ts";
import { BOOL, FLOAT, INT, isInteger, type Type, withArticle } from "../../circuit/values/types.ts";
import { DiagnosticError, errorAt, type Place } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import { parseExpression } from "../syntax/expression-parser.ts";
import { convert } from "./compiled.ts";
import type { ExpressionContext } from "./context.ts";

/**
 * The value of an `input` variable: a number; true or false; the bits of a register (`"0101"`) or an expression of
 * constants (`"pi / 4"`, `"2.5us"`) as text; for an array a list of such values, within each other where it has several dimensions.
 */
export type InputValue = number | boolean | string | readonly InputValue[];

type Declared = Place & { readonly name: string };

/** Returns the value that an input variable has from outside, or the values of an array in the order of its elements. */
export class Inputs {
  readonly #given: Readonly<Record<string, InputValue>>;
  readonly #context: ExpressionContext;
  readonly #areOpen: boolean;

  constructor(given: Readonly<Record<string, InputValue>>, context: ExpressionContext, areOpen: boolean) {
    this.#given = given;
    this.#context = context;
    this.#areOpen = areOpen;
  }

  /** Whether a variable may go without a value, and does. */
  isOpen(name: Declared): boolean {
    return this.#areOpen && !Object.hasOwn(this.#given, name.name);
  }

  value(name: Declared, type: Type): Value {
    return this.#single(this.#of(name), type, name);
  }

  values(name: Declared, type: Type, sizes: readonly number[]): Value[] {
    return this.#several(this.#of(name), type, sizes, name);
  }

  #of(name: Declared): InputValue {
    if (Object.hasOwn(this.#given, name.name)) return this.#given[name.name]!;
    const names = Object.keys(this.#given).slice(0, 1000);
    throw errorAt(
      name,
      `The input ${name.name} has no value.`,
      didYouMean(name.name, names) ?? `Give it one, as in \`run(program).inputs({ ${name.name}: … })\`.`,
    );
  }

  #several(given: InputValue, type: Type, sizes: readonly number[], name: Declared): Value[] {
    const [size, ...inner] = sizes;
    if (size === undefined) return [this.#single(given, type, name)];
    if (!Array.isArray(given) || given.length !== size)
      throw errorAt(name, `The input ${name.name} needs a list of ${size} values here.`);
    return (given as readonly InputValue[]).flatMap(item => this.#several(item, type, inner, name));
  }

  #single(given: InputValue, type: Type, name: Declared): Value {
    const compiled = this.#compiled(given, type, name);
    const shown = JSON.stringify(given)?.slice(0, 60);
    try {
      const isExact = isInteger(type) || type.kind === "bit";
      const { value } = convert(compiled, type, name, isInteger(compiled.type) ? "cast" : "promotion");
      if (isExact && typeof compiled.value === "bigint" && value !== compiled.value)
        throw errorAt(name, `${shown} does not fit.`);
      return value!;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      throw errorAt(
        name,
        `The value ${shown} of the input ${name.name} cannot stand for ${withArticle(type)}.`,
      );
    }
  }

  #compiled(given: InputValue, type: Type, name: Declared): Expression {
    if (typeof given === "boolean") return constant(BOOL, given);
    if (typeof given === "number" && Number.isFinite(given)) {
      const isWhole = Number.isSafeInteger(given) && type.kind !== "float" && type.kind !== "angle";
      return isWhole ? constant(INT, BigInt(given)) : constant(FLOAT, given);
    }
    if (typeof given !== "string") throw errorAt(name, `The input ${name.name} needs a single value.`);
    if (type.kind === "bit" && /^[01]{1,65536}$/.test(given))
      return constant(
        { kind: "bit", width: type.width === null && given.length === 1 ? null : given.length },
        BigInt(`0b${given}`),
      );
    try {
      const compiled = this.#context.compile(parseExpression(given));
      if (compiled.value === undefined) throw new DiagnosticError(0, "Expected a constant.");
      return compiled;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const shown = given.length > 40 ? `${given.slice(0, 40)}…` : given;
      throw errorAt(name, `The value "${shown}" of the input ${name.name} is at fault: ${error.message}`);
    }
  }
}
