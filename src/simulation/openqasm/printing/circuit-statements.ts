import type { CircuitParts } from "../../circuit/circuit.ts";
import type { Expression, OperandIndices } from "../../circuit/expression.ts";
import { NO_BIT, OPERATION } from "../../circuit/operations.ts";
import { bodiesOf, type Statement, type StatementList } from "../../circuit/statement.ts";
import { structuredGraph } from "../../circuit/structure-graph.ts";
import { BOOL, typeName } from "../../circuit/values/types.ts";
import { SimulationError } from "../../errors.ts";
import { assignment, expressionText, fills, iterationOf, operandOf } from "./circuit-expressions.ts";
import { DECLARED, GateWriter, modifierText } from "./circuit-gates.ts";
import type { CircuitNames } from "./circuit-names.ts";
import { angle, block, type ExpressionText, unary } from "./expression-text.ts";

type StatementOf<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;

/** Writes a condition, in which a bit stands for its truth value. */
function conditionText(condition: Expression, names: CircuitNames): ExpressionText {
  const { kind } = condition;
  if (kind === "cast" && condition.type.kind === "bool" && condition.operand.type.kind === "bit")
    return expressionText(condition.operand, names);
  if (kind !== "unary" || condition.operator !== "!") return expressionText(condition, names);
  return unary("!", conditionText(condition.operand, names));
}

const MAX_STATEMENTS = 1_000_000;

const ifText = (condition: string, body: readonly string[], otherwise: readonly string[] | null = null) => {
  const isElseIf = otherwise?.length === 1 && otherwise[0]!.startsWith("if (");
  const rest = otherwise ? ` else ${isElseIf ? otherwise[0] : block(otherwise)}` : "";
  return `if (${condition}) ${block(body)}${rest}`;
};

/** Writes the statements of a circuit as those of OpenQASM 3: loops stay loops, and branches stay branches. */
export class StatementWriter {
  readonly gates: GateWriter;
  readonly #parts: CircuitParts;
  readonly #names: CircuitNames;
  /** For each loop and subroutine around, the variable that says whether the subroutine has returned. */
  readonly #around: { readonly isLoop: boolean; readonly returned: string | null }[] = [];
  #count = 0;

  constructor(parts: CircuitParts, names: CircuitNames) {
    this.#parts = parts;
    this.#names = names;
    this.gates = new GateWriter(names);
  }

  /** Writes statements. Throws a SimulationError if OpenQASM cannot express one. */
  body(statements: StatementList): string[] {
    return statements.flatMap(statement => this.#statement(statement));
  }

  #statement(statement: Statement): string[] {
    this.#checkCount(1);
    const names = this.#names;
    const text = (value: Expression) => expressionText(value, names).text;
    const qubits = (indices: OperandIndices) => operandOf("qubit", indices, names);
    switch (statement.kind) {
      case "operations":
        return this.#run(statement);
      case "gate":
        return this.#gate(statement);
      case "measure":
        return [
          measureText(qubits(statement.qubits), statement.bits && operandOf("bit", statement.bits, names)),
        ];
      case "reset":
        return [`reset ${qubits(statement.qubits)};`];
      case "assign":
        return [assignment(names.slot(statement.slot, statement.value.type), statement.value, names)];
      case "resolve": {
        const value = qubits(statement.indices);
        return [`let ${names.declared(statement.slot)} = ${value};`];
      }
      case "fill":
        return fills(statement, names);
      case "store": {
        const { bits, value } = statement;
        return [`${operandOf("bit", bits, names, value.type.width === null)} = ${text(value)};`];
      }
      case "delay": {
        const operands = (statement.qubits ?? []).map(qubits);
        return [`delay[${text(statement.duration)}]${operands.length > 0 ? ` ${operands.join(", ")}` : ""};`];
      }
      case "box": {
        const head = statement.duration ? `box[${text(statement.duration)}]` : "box";
        return [`${head} ${block(this.body(statement.body))}`];
      }
      case "duration":
        return [`box[${text(statement.duration)}] {}`];
      case "scope":
        return this.body(statement.body);
      case "subroutine":
        return this.#subroutine(statement);
      case "if": {
        const { condition, body, otherwise } = statement;
        const inner = this.body(body);
        return [ifText(conditionText(condition, names).text, inner, otherwise && this.body(otherwise))];
      }
      case "while":
        return this.#while(statement);
      case "for":
        return this.#for(statement);
      case "switch": {
        const cases = statement.cases.map(
          ({ values, body }) =>
            `${values ? `case ${values.join(", ")}` : "default"} ${block(this.body(body))}`,
        );
        return [`switch (${text(statement.value)}) ${block(cases)}`];
      }
      case "graph": {
        const nested = structuredGraph(statement.blocks, this.#parts.classical);
        if (nested) return this.body(nested);
        throw new SimulationError(
          "The program's jumps form loops that OpenQASM has no statement for, or branches that are nested too deep.",
        );
      }
      case "recurse":
        throw new SimulationError(`${statement.name} calls itself, for which OpenQASM has no statement.`);
      case "return": {
        const returned = this.#returned;
        return returned ? [`${returned} = true;`, "break;"] : ["break;"];
      }
      default:
        return [`${statement.kind};`];
    }
  }

  #run({ start, end }: StatementOf<"operations">): string[] {
    const { kinds, gates, params, paramStarts } = this.#parts.operations;
    this.#checkCount(end - start);
    const out: string[] = [];
    for (let i = start; i < end; i++) {
      const places = this.#placesOf(i);
      const whole = this.#wholeRegisters(i, end);
      const on = places.map(
        (place, column) =>
          whole?.operands[column] ??
          (place === NO_BIT ? null : this.#names.one(this.#kindOf(i, column), place)),
      ) as [string, ...string[]];
      switch (kinds[i]) {
        case OPERATION.gate: {
          const values = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
          const args = values.map(value => angle(value).text);
          out.push(...this.gates.call(this.#parts.gates[gates[i]!]!, args, on, { values }));
          break;
        }
        case OPERATION.measure:
          out.push(measureText(on[0], on[1] ?? null));
          break;
        case OPERATION.reset:
          out.push(`reset ${on[0]};`);
          break;
        default:
          out.push(`barrier ${this.#isAll(places) ? this.#names.several("qubit", places) : on.join(", ")};`);
      }
      i += (whole?.length ?? 1) - 1;
    }
    return out;
  }

  #placesOf(i: number): number[] {
    const { operands, operandStarts } = this.#parts.operations;
    return Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
  }

  #kindOf(i: number, column: number): "qubit" | "bit" {
    return this.#parts.operations.kinds[i] === OPERATION.measure && column === 1 ? "bit" : "qubit";
  }

  /** Returns the whole registers that equal operations from a place on act on, as one operation on all of each. */
  #wholeRegisters(start: number, end: number): { length: number; operands: string[] } | undefined {
    const { kinds, gates, params, paramStarts } = this.#parts.operations;
    const isGate = kinds[start] === OPERATION.gate;
    if (isGate && !DECLARED.has(this.#parts.gates[gates[start]!]!)) return undefined;
    const paramsOf = (i: number) => params.subarray(paramStarts[i]!, paramStarts[i + 1]!).join();
    const names = this.#names;
    const columns = this.#placesOf(start).map((first, column) => {
      const kind = this.#kindOf(start, column);
      return { first, kind, size: names.sizeFrom(kind, first) };
    });
    const length = columns[0]?.size ?? 0;
    const isWhole = length > 1 && start + length <= end && columns.every(({ size }) => size === length);
    if (!isWhole || kinds[start] === OPERATION.barrier) return undefined;
    for (let k = 1; k < length; k++) {
      const i = start + k;
      const isSame =
        kinds[i] === kinds[start] && gates[i] === gates[start] && paramsOf(i) === paramsOf(start);
      if (!isSame || this.#placesOf(i).some((place, column) => place !== columns[column]!.first + k))
        return undefined;
    }
    const places = (first: number) => Array.from({ length }, (_, k) => first + k);
    return { length, operands: columns.map(({ kind, first }) => names.several(kind, places(first))) };
  }

  /** Whether places are all qubits of the only register. */
  #isAll(places: readonly number[]): boolean {
    const [only, ...others] = this.#parts.quantum;
    const isOne = others.length === 0 && only?.name !== "$" && places.length > 1;
    return isOne && places.length === only?.size && places.every((place, i) => place === i);
  }

  #gate({ gate, modifiers, params, qubits }: StatementOf<"gate">): string[] {
    const names = this.#names;
    const text = (value: Expression) => expressionText(value, names).text;
    const chain = modifiers
      .toReversed()
      .map(modifier =>
        modifier.kind === "pow" ? `pow(${text(modifier.exponent)}) @ ` : modifierText(modifier),
      );
    const values = params.flatMap(({ value }) => (value === undefined ? [] : Number(value)));
    return this.gates.call(
      this.#parts.gates[gate]!,
      params.map(text),
      qubits.map(list => operandOf("qubit", list, names)),
      { modifiers: chain.join(""), ...(values.length === params.length ? { values } : {}) },
    );
  }

  /** Writes the body of a subroutine in the place of its call; where it returns early, as a loop of one round. */
  #subroutine({ label, body, frame }: StatementOf<"subroutine">): string[] {
    if (frame) throw new SimulationError("A subroutine calls itself, for which OpenQASM has no statement.");
    const straight = withoutLastReturn(body);
    if (!hasReturn(straight)) return [`// ${label}`, ...this.body(straight)];
    const returned = this.#names.variable("returned", BOOL);
    this.#around.push({ isLoop: false, returned });
    const inner = this.body(straight);
    this.#around.pop();
    return [`// ${label}`, `${returned} = false;`, `while (true) ${block([...inner, "break;"])}`];
  }

  /** The variable that says whether the innermost subroutine has returned, if it has one. */
  get #returned(): string | null | undefined {
    return this.#around.findLast(({ isLoop }) => !isLoop)?.returned;
  }

  /** Writes the body of a loop, and after the loop what leaves the next one too where the subroutine has returned. */
  #loop(body: readonly Statement[], loop: (body: readonly string[]) => string): string[] {
    this.#around.push({ isLoop: true, returned: null });
    const made = loop(this.body(body));
    this.#around.pop();
    const returned = this.#returned;
    return returned && hasReturn(body) ? [made, ifText(returned, ["break;"])] : [made];
  }

  #while({ before, condition, body }: StatementOf<"while">): string[] {
    return this.#loop(body, inner => {
      const test = conditionText(condition, this.#names);
      if (before.length === 0) return `while (${test.text}) ${block(inner)}`;
      return `while (true) ${block([...this.body(before), ifText(unary("!", test).text, ["break;"]), ...inner])}`;
    });
  }

  #for({ slot, values, body }: StatementOf<"for">): string[] {
    const { type, over } = iterationOf(values, this.#names);
    return this.#names.withVariable(slot, name =>
      this.#loop(body, inner => `for ${typeName(type)} ${name} in ${over} ${block(inner)}`),
    );
  }

  #checkCount(count: number): void {
    this.#count += count;
    if (this.#count > MAX_STATEMENTS)
      throw new SimulationError(
        `The program has more than ${MAX_STATEMENTS.toLocaleString("en-US")} statements, too many to write out.`,
      );
  }
}

const measureText = (qubits: string, bits: string | null): string =>
  bits === null ? `measure ${qubits};` : `${bits} = measure ${qubits};`;

function withoutLastReturn(body: readonly Statement[]): readonly Statement[] {
  const last = body.at(-1);
  if (last?.kind === "return") return body.slice(0, -1);
  return last?.kind === "scope" ? [...body.slice(0, -1), ...withoutLastReturn(last.body)] : body;
}

/** Whether a subroutine returns within these statements of its body. */
const hasReturn = (statements: readonly Statement[]): boolean =>
  statements.some(
    statement =>
      statement.kind === "return" || (statement.kind !== "subroutine" && bodiesOf(statement).some(hasReturn)),
  );
