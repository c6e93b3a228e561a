import { KetbookError } from "../../client/index.ts";
import { describeValue, nearestName, type Program, type RecordedProgram } from "../../contract/index.ts";
import {
  BOUND_INPUT,
  type InputDeclaration,
  type InputValue,
  inputDeclarationsOf,
} from "../../simulation/index.ts";
import { naming } from "./program-figures.ts";

export type { InputValue };

/** Values for the `input` variables of a program, by name. */
export interface Inputs {
  readonly [name: string]: InputValue;
}

/**
 * Reads which inputs a program declares, and answers a function that writes values in their place, as constants: not
 * every service takes inputs, none takes another set of them for each program of a batch, and a program with its values
 * can be run again anywhere. A comment marks the constants, for `parametersOf`.
 *
 * @param helper - What an error names: `inputs` or `sweep`.
 * @throws KetbookError when the program cannot be read.
 */
export function inputBinder({ format, data, files }: RecordedProgram, helper: string) {
  if ((format !== "qasm3" && format !== "qasm2") || typeof data !== "string")
    throw new KetbookError(`${helper}: a program in ${format} has no inputs. Write it in OpenQASM.`);
  const declared = naming(`${helper}: the program cannot be read`, () =>
    inputDeclarationsOf({ format, data }),
  );
  const names = declared.map(({ name }) => name);
  return {
    /** Throws a `KetbookError` for a value that the program has no input for. */
    check(inputs: Inputs, where = ""): void {
      if (typeof inputs !== "object" || inputs === null)
        throw new KetbookError(
          `${helper}(${describeValue(inputs)}): give values by name, such as { theta: 0.3 }.`,
        );
      for (const name of Object.keys(inputs))
        if (!names.includes(name)) {
          const meant = nearestName(name, names);
          const others = names.length > 0 ? `It has ${names.slice(0, 8).join(", ")}. ` : "";
          const hint = meant ? `Did you mean ${meant}?` : `${others}Declare it: input float ${name};`;
          throw new KetbookError(
            `${helper}: the program has no input ${JSON.stringify(name)}${where}. ${hint}`,
          );
        }
    },
    /** The program with its inputs as constants. Throws for an input without a value, unless `isPartial`. */
    bind(inputs: Inputs, where = "", isPartial = false): Program {
      let [text, from] = ["", 0];
      for (const declaration of declared) {
        if (isPartial && !Object.hasOwn(inputs, declaration.name)) continue;
        text += data.slice(from, declaration.start) + written(declaration, inputs, helper, where);
        from = declaration.end;
      }
      return { format, data: text + data.slice(from), ...(files ? { files } : {}) };
    },
  };
}

function written(
  { name, type, typeText }: InputDeclaration,
  inputs: Inputs,
  helper: string,
  where: string,
): string {
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  const literal = literalOf(value, type);
  const [, bits] = /^u?int\[(\d+)\]$/.exec(typeText) ?? [];
  if (bits !== undefined && typeof value === "number") {
    const [low, high] =
      type === "uint" ? [0, 2 ** Number(bits)] : [-(2 ** (Number(bits) - 1)), 2 ** (Number(bits) - 1)];
    if (value < low || value >= high)
      throw new KetbookError(
        `${helper}: ${value} does not fit into ${name}${where}, which is of type ${typeText}.`,
      );
  }
  if (literal === undefined) {
    const wanted = ["bit", "bool", "array", "duration"].includes(type) ? "value" : "finite number";
    const found = value === undefined ? "" : `: ${describeValue(value)} can't be one`;
    throw new KetbookError(
      `${helper}: "${name}"${where} needs a ${wanted}${found}. Give one, as in { ${name}: ${example[type] ?? "0.3"} }.`,
    );
  }
  return `${type === "array" ? "" : "const "}${typeText} ${name} = ${literal}; ${BOUND_INPUT}`;
}

const example: { readonly [type: string]: string } = {
  bit: '"01"',
  bool: "true",
  int: "3",
  uint: "3",
  duration: '"2.5us"',
  array: "[0.1, 0.2]",
};

function literalOf(value: unknown, type: string): string | undefined {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return undefined;
    const isReal = ["float", "angle", "complex"].includes(type);
    return isReal && Number.isInteger(value) && !String(value).includes("e") ? `${value}.0` : String(value);
  }
  if (typeof value === "string") {
    if (type === "bit" && /^[01]{2,}$/.test(value)) return `"${value}"`;
    return value.trim() === "" || /[;{}"\\]|\/[/*]/.test(value) ? undefined : value;
  }
  if (type !== "array" || !Array.isArray(value)) return undefined;
  const items = value.map(item => literalOf(item, Array.isArray(item) ? "array" : ""));
  return items.includes(undefined) ? undefined : `{${items.join(", ")}}`;
}
