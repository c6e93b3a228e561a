import type { RecordedProgram } from "../../contract/index.ts";
import { attempted } from "../../host/attempted.ts";
import { type BoundInput, boundInputsOf, compile, simulate } from "../../simulation/index.ts";
import type { Inputs, InputValue } from "./inputs.ts";
import { QasmProgram } from "./program.ts";

const maxLength = 1_000_000;
const evaluated = new Set(["float", "angle", "int", "uint", "bool"]);

/** The values that a program's inputs were given, expressions of constants as numbers. Empty for unreadable text. */
export function parametersOf(program: string | RecordedProgram | undefined): Inputs {
  if (!program) return {};
  const { format, data } = QasmProgram.of(program);
  if ((format !== "qasm3" && format !== "qasm2") || data.length > maxLength) return {};
  const bound = attempted(() => boundInputsOf({ format, data })) ?? [];
  return Object.fromEntries(bound.map(input => [input.name, readValue(input)]));
}

function readValue({ type, valueText }: BoundInput): InputValue {
  if (type === "bit" && /^"[01]+"$/.test(valueText)) return valueText.slice(1, -1);
  if (type === "array") {
    const list = valueText.replaceAll("{", "[").replaceAll("}", "]");
    return attempted(() => JSON.parse(list) as InputValue) ?? valueText;
  }
  const number = Number(valueText);
  if (type !== "bit" && Number.isFinite(number)) return number;
  return evaluated.has(type) ? (evaluate(type, valueText) ?? valueText) : valueText;
}

function evaluate(type: string, given: string): InputValue | undefined {
  const data = `bit c; input ${type} given; output ${type} value; value = given;`;
  const circuit = attempted(() => compile({ format: "qasm3", data }, { inputs: { given } }));
  const value = circuit && simulate(circuit, { shots: 1, memory: true, threads: 1 }).outputs?.[0]?.value;
  return typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
