import { BOOL } from "../circuit/values/types.ts";
import { castTo } from "./arithmetic.ts";
import type { QirBlocks } from "./blocks.ts";
import type { Operand, QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** Reads what follows `br`: a jump, or one of two by a condition. */
export function readBranch(tokens: QirTokens, operands: QirOperands, blocks: QirBlocks): void {
  if (tokens.accept("label")) {
    blocks.jumpTo(tokens.take());
    return;
  }
  const condition = operands.operand();
  const yes = readLabel(tokens);
  const no = readLabel(tokens);
  blocks.either(castTo(BOOL, condition.node), yes);
  blocks.jumpTo(no);
}

/** Reads what follows `switch`: a jump by the value of a whole number. */
export function readSwitch(tokens: QirTokens, operands: QirOperands, blocks: QirBlocks): void {
  const { node: left } = operands.operand();
  const otherwise = readLabel(tokens);
  tokens.expect("[");
  while (!tokens.accept("]")) {
    const { node: right } = operands.operand();
    blocks.either({ kind: "binary", operator: "==", type: BOOL, left, right }, readLabel(tokens));
  }
  blocks.jumpTo(otherwise);
}

/** Reads what follows `phi`: the value that a register `name` takes after each block before. */
export function readPhi(tokens: QirTokens, operands: QirOperands, blocks: QirBlocks, name: string): void {
  const type = operands.type();
  const from = new Map<string, Operand>();
  do {
    tokens.expect("[");
    const value = operands.value(type);
    tokens.expect(",");
    from.set(tokens.take().text.slice(1), value);
    tokens.expect("]");
  } while (tokens.accept(","));
  blocks.phi(operands.slot(name), from);
}

function readLabel(tokens: QirTokens): QirToken {
  tokens.expect(",");
  tokens.expect("label");
  return tokens.take();
}
