import { OPERATION } from "../../circuit/operations.ts";
import { remembered } from "../../memoized.ts";
import type { TokenStream } from "../syntax/token-stream.ts";
import type { Lowering } from "./compile.ts";
import { countSteps } from "./gate-calls.ts";

/** Tokens of a gate line, roughly, for the limit of tokens. */
const TOKENS_OF_A_LINE = 8;
/** A line such as `cx q[0], q[1];` or `rz(-pi/4) q[2];`: its gate, its numbers and its qubits. */
const [SPACE, NAME] = ["[ \\t\\r\\n]*", "[A-Za-z_]\\w*"];
const QUBIT = `${NAME}\\[\\d{1,9}\\]${SPACE}`;
const LINE = new RegExp(
  `(${SPACE})(${NAME})${SPACE}(?:\\(([^();]*)\\)${SPACE})?(?<=[\\s)])(${QUBIT}(?:,${SPACE}${QUBIT})*);`,
  "y",
);

/**
 * Reads plain gate lines straight into operations, as most of a large program is made of them: five times as fast as the
 * parser, which reads whatever is not just so.
 */
export function readGateLines(tokens: TokenStream, lowering: Lowering): void {
  const { lexer } = tokens;
  const { builder, limits, source } = lowering;
  const hasPi = !lowering.isDeclared("pi");
  const known = new Map<string, number>();
  const qubitOf = (operand: string) =>
    remembered(known, operand, () => {
      const [register, index] = operand.trim().split("[");
      return lowering.registerNamed(register!)?.[Number.parseInt(index!, 10)] ?? -1;
    });
  tokens.rewind();
  while (builder.length < limits.maxOperations) {
    LINE.lastIndex = lexer.offset;
    const found = LINE.exec(source);
    if (!found) return;
    const [all, space, name, args, operands] = found as unknown as [string, string, string, string?, string?];
    const gate = lowering.gateNamed(name);
    const qubits = operands!.split(",").map(qubitOf);
    const params = args === undefined ? [] : args.split(",").map(arg => angleOf(arg, hasPi));
    if (qubits.length !== gate?.numQubits || params.length !== gate.numParams) return;
    if (!params.every(Number.isFinite)) return;
    for (let i = 0; i < qubits.length; i++) if (qubits[i]! < 0 || qubits.indexOf(qubits[i]!) < i) return;
    const at = lexer.offset + space.length;
    if (gate.kind === "composite") countSteps(lowering, gate, 1, at);
    lexer.offset += all.length;
    builder.operation(OPERATION.gate, builder.gateIndex(gate), at, lexer.offset);
    for (const qubit of qubits) builder.operations.operand(qubit);
    for (const param of params) builder.operations.param(param);
    lexer.count(TOKENS_OF_A_LINE);
  }
}

/** Returns the value of `1.5`, `-2e-3`, `pi`, `pi/4` or `3*pi/8`; NaN for anything else. */
function angleOf(text: string, hasPi: boolean): number {
  const unsigned = text.trimStart().replace(/^-/, "");
  const [first, ...rest] = unsigned.split(/([*/])/).map(part => part.trim());
  const factor = (part: string) =>
    part === "pi" && hasPi ? Math.PI : /^[\d.]/.test(part) ? Number(part) : Number.NaN;
  let value = factor(first!);
  for (let i = 0; i < rest.length; i += 2)
    value = rest[i] === "*" ? value * factor(rest[i + 1]!) : value / factor(rest[i + 1]!);
  return unsigned.length < text.trimStart().length ? -value : value;
}
