import { constant, type Expression, type ValueList } from "../circuit/expression.ts";
import { everyStatement, type LoopValues, type StatementList } from "../circuit/statement.ts";
import { INT } from "../circuit/values/types.ts";
import { mentions } from "./copy-statements.ts";

/** Whether statements are undone by those that undo each of them, in reverse order. */
export const isReversible = (body: StatementList): boolean =>
  everyStatement(
    body,
    statement =>
      ["operations", "gate", "if", "scope"].includes(statement.kind) ||
      (statement.kind === "for" && reversedValues(statement) !== undefined),
  );

/** Returns the values of a loop in reverse order, or as they are if its body does not use them; undefined if unknown. */
export function reversedValues({
  slot,
  values,
  body,
}: {
  slot: number;
  values: LoopValues;
  body: StatementList;
}) {
  if (!mentions(body, each => each.kind === "slot" && each.slot === slot)) return values;
  if (values.kind === "list") {
    const { list } = values;
    const isListed = list.kind === "constants" || list.kind === "values";
    return isListed
      ? { ...values, list: { ...list, values: list.values.toReversed() } as ValueList }
      : undefined;
  }
  const { start, stop, step } = values;
  const by = step === null ? 1n : step.value;
  if (typeof by !== "bigint") return undefined;
  const whole = (value: bigint): Expression => constant(INT, value);
  if (by === 1n) return { ...values, start: stop, step: whole(-1n), stop: start };
  if (by === -1n) return { ...values, start: stop, step: null, stop: start };
  if (typeof start.value !== "bigint" || typeof stop.value !== "bigint") return undefined;
  const last = start.value + ((stop.value - start.value) / by) * by;
  return { ...values, start: whole(last), step: whole(-by), stop: start };
}
