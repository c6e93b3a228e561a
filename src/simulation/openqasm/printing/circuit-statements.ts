import type { CircuitParts } from "../../circuit/circuit.ts";
import type { Expression } from "../../circuit/expression.ts";
import { NO_BIT, OPERATION } from "../../circuit/operations.ts";
import { bodiesOf, type Statement, type StatementList } from "../../circuit/statement.ts";
import { structuredGraph } from "../../circuit/structure-graph.ts";
import { BOOL } from "../../circuit/values/types.ts";
import { SimulationError } from "../../errors.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import { fillNodes, iterationNode, operandNode, setterNode, syntaxOf } from "./circuit-expressions.ts";
import { controlCount, DECLARED, GateWriter } from "./circuit-gates.ts";
import type { CircuitNames } from "./circuit-names.ts";
import {
  angleNode,
  assignNode,
  expressionNode,
  integerNode,
  measureNode,
  modifierNode,
  nameNode,
  statementNode,
  typeNode,
} from "./syntax-nodes.ts";

type StatementOf<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;

/** Returns the syntax of a condition, in which a bit stands for its truth value. */
function conditionNode(condition: Expression, names: CircuitNames): ExpressionNode {
  const { kind } = condition;
  if (kind === "cast" && condition.type.kind === "bool" && condition.operand.type.kind === "bit")
    return syntaxOf(condition.operand, names);
  if (kind !== "unary" || condition.operator !== "!") return syntaxOf(condition, names);
  const operand = conditionNode(condition.operand, names);
  return expressionNode({ kind: "unary", operator: "!", operand });
}

const MAX_STATEMENTS = 1_000_000;

const BREAK = statementNode({ kind: "break" });
const TRUE = expressionNode({ kind: "boolean", value: true });
const FALSE = expressionNode({ kind: "boolean", value: false });

const ifNode = (
  condition: ExpressionNode,
  body: readonly StatementNode[],
  otherwise: readonly StatementNode[] | null = null,
): StatementNode => statementNode({ kind: "if", condition, body, otherwise });

/** Writes the statements of a circuit as those of OpenQASM 3: loops stay loops, and branches stay branches. */
export class StatementWriter {
  readonly gates: GateWriter;
  readonly #parts: CircuitParts;
  readonly #names: CircuitNames;
  /** For each loop and subroutine around, the variable that says whether the subroutine has returned. */
  readonly #around: { readonly isLoop: boolean; readonly returned: ExpressionNode | null }[] = [];
  #count = 0;

  constructor(parts: CircuitParts, names: CircuitNames) {
    this.#parts = parts;
    this.#names = names;
    this.gates = new GateWriter(names);
  }

  /** Returns statements as their syntax. Throws a SimulationError if OpenQASM cannot express one. */
  body(statements: StatementList): StatementNode[] {
    return statements.flatMap(statement => this.#statement(statement));
  }

  #statement(statement: Statement): StatementNode[] {
    this.#checkCount(1);
    const names = this.#names;
    switch (statement.kind) {
      case "operations":
        return this.#run(statement);
      case "gate":
        return this.#gate(statement);
      case "measure": {
        const target = statement.bits && operandNode("bit", statement.bits, names);
        return [measureNode(operandNode("qubit", statement.qubits, names), target)];
      }
      case "reset":
        return [statementNode({ kind: "reset", operand: operandNode("qubit", statement.qubits, names) })];
      case "assign":
        return [setterNode(names.slot(statement.slot, statement.value.type), statement.value, names)];
      case "resolve": {
        const value = operandNode("qubit", statement.indices, names);
        const name = nameNode(names.declared(statement.slot));
        return [statementNode({ kind: "alias", name, value })];
      }
      case "fill":
        return fillNodes(statement, names);
      case "store": {
        const { bits, value } = statement;
        return [
          assignNode(operandNode("bit", bits, names, value.type.width === null), syntaxOf(value, names)),
        ];
      }
      case "delay": {
        const operands = (statement.qubits ?? []).map(list => operandNode("qubit", list, names));
        return [statementNode({ kind: "delay", duration: syntaxOf(statement.duration, names), operands })];
      }
      case "box": {
        const duration = statement.duration && syntaxOf(statement.duration, names);
        return [statementNode({ kind: "box", duration, body: this.body(statement.body) })];
      }
      case "duration":
        return [statementNode({ kind: "box", duration: syntaxOf(statement.duration, names), body: [] })];
      case "scope":
        return this.body(statement.body);
      case "subroutine":
        return this.#subroutine(statement);
      case "if": {
        const { condition, body, otherwise } = statement;
        const inner = this.body(body);
        return [ifNode(conditionNode(condition, names), inner, otherwise && this.body(otherwise))];
      }
      case "while":
        return this.#while(statement);
      case "for":
        return this.#for(statement);
      case "switch": {
        const { value, cases } = statement;
        const nodes = cases.map(({ values, body }) => ({
          ...{ at: 0, end: 0, labels: values?.map(integerNode) ?? null, body: this.body(body) },
        }));
        return [statementNode({ kind: "switch", value: syntaxOf(value, names), cases: nodes })];
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
      case "return":
        return this.#return();
      default:
        return [statementNode({ kind: statement.kind })];
    }
  }

  #run({ start, end }: StatementOf<"operations">): StatementNode[] {
    const { kinds, gates, operands, operandStarts, params, paramStarts } = this.#parts.operations;
    this.#checkCount(end - start);
    const out: StatementNode[] = [];
    for (let i = start; i < end; i++) {
      const places = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
      const whole = this.#wholeRegisters(i, end);
      const nodeAt = (column: number) =>
        whole?.nodes[column] ??
        this.#names.one(isMeasured && column === 1 ? "bit" : "qubit", places[column]!);
      const isMeasured = kinds[i] === OPERATION.measure;
      switch (kinds[i]) {
        case OPERATION.gate: {
          const values = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
          const on = places.map((_, column) => nodeAt(column));
          out.push(...this.gates.call(this.#parts.gates[gates[i]!]!, values.map(angleNode), on, { values }));
          break;
        }
        case OPERATION.measure:
          out.push(measureNode(nodeAt(0), places[1] === NO_BIT ? null : nodeAt(1)));
          break;
        case OPERATION.reset:
          out.push(statementNode({ kind: "reset", operand: nodeAt(0) }));
          break;
        default:
          out.push(statementNode({ kind: "barrier", operands: this.#barrierOperands(places) }));
      }
      i += (whole?.length ?? 1) - 1;
    }
    return out;
  }

  /** Returns the whole registers that equal operations from a place on act on, as one operation on all of each. */
  #wholeRegisters(start: number, end: number): { length: number; nodes: ExpressionNode[] } | undefined {
    const { kinds, gates, operands, operandStarts, params, paramStarts } = this.#parts.operations;
    const isGate = kinds[start] === OPERATION.gate;
    if (isGate && !DECLARED.has(this.#parts.gates[gates[start]!]!)) return undefined;
    const placesOf = (i: number) => Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
    const paramsOf = (i: number) => params.subarray(paramStarts[i]!, paramStarts[i + 1]!).join();
    const names = this.#names;
    const columns = placesOf(start).map((first, i) => {
      const kind = kinds[start] === OPERATION.measure && i === 1 ? "bit" : "qubit";
      return { first, kind, size: names.sizeFrom(kind, first) } as const;
    });
    const length = columns[0]?.size ?? 0;
    const isWhole = length > 1 && start + length <= end && columns.every(({ size }) => size === length);
    if (!isWhole || kinds[start] === OPERATION.barrier) return undefined;
    for (let k = 1; k < length; k++) {
      const i = start + k;
      const isSame =
        kinds[i] === kinds[start] && gates[i] === gates[start] && paramsOf(i) === paramsOf(start);
      if (!isSame || placesOf(i).some((place, column) => place !== columns[column]!.first + k))
        return undefined;
    }
    const places = (first: number) => Array.from({ length }, (_, k) => first + k);
    return { length, nodes: columns.map(({ kind, first }) => names.several(kind, places(first))) };
  }

  #barrierOperands(places: readonly number[]): ExpressionNode[] {
    const { quantum } = this.#parts;
    const [only] = quantum;
    const isAll = quantum.length === 1 && only!.name !== "$" && places.length > 1;
    return isAll && places.length === only!.size && places.every((place, i) => place === i)
      ? [this.#names.several("qubit", places)]
      : places.map(place => this.#names.one("qubit", place));
  }

  #gate({ gate, modifiers, params, qubits }: StatementOf<"gate">): StatementNode[] {
    const names = this.#names;
    const nodes = modifiers.toReversed().map(modifier => {
      if (modifier.kind === "pow") return modifierNode("pow", syntaxOf(modifier.exponent, names));
      return modifierNode(modifier.kind, modifier.kind === "inv" ? null : controlCount(modifier.count));
    });
    const values = params.flatMap(({ value }) => (value === undefined ? [] : Number(value)));
    return this.gates.call(
      this.#parts.gates[gate]!,
      params.map(param => syntaxOf(param, names)),
      qubits.map(list => operandNode("qubit", list, names)),
      { modifiers: nodes, ...(values.length === params.length ? { values } : {}) },
    );
  }

  /** Writes the body of a subroutine in the place of its call; where it returns early, as a loop of one round. */
  #subroutine({ label, body, frame }: StatementOf<"subroutine">): StatementNode[] {
    if (frame) throw new SimulationError("A subroutine calls itself, for which OpenQASM has no statement.");
    const head = statementNode({ kind: "verbatim", text: `// ${label}` });
    const straight = withoutLastReturn(body);
    if (!hasReturn(straight)) return [head, ...this.body(straight)];
    const returned = this.#names.variable("returned", BOOL);
    this.#around.push({ isLoop: false, returned });
    const inner = this.body(straight);
    this.#around.pop();
    const once = [...inner, BREAK];
    return [head, assignNode(returned, FALSE), statementNode({ kind: "while", condition: TRUE, body: once })];
  }

  #return(): StatementNode[] {
    const returned = this.#around.findLast(({ isLoop }) => !isLoop)?.returned;
    return returned ? [assignNode(returned, TRUE), BREAK] : [BREAK];
  }

  /** Writes the body of a loop, and after the loop what leaves the next one too where the subroutine has returned. */
  #loop(
    body: readonly Statement[],
    loop: (body: readonly StatementNode[]) => StatementNode,
  ): StatementNode[] {
    this.#around.push({ isLoop: true, returned: null });
    const made = loop(this.body(body));
    this.#around.pop();
    const returned = this.#around.findLast(({ isLoop }) => !isLoop)?.returned;
    if (!returned || !hasReturn(body)) return [made];
    return [made, ifNode(returned, [BREAK])];
  }

  #while({ before, condition, body }: StatementOf<"while">): StatementNode[] {
    return this.#loop(body, nodes => {
      const test = conditionNode(condition, this.#names);
      if (before.length === 0) return statementNode({ kind: "while", condition: test, body: nodes });
      const isOver = expressionNode({ kind: "unary", operator: "!", operand: test });
      const all = [...this.body(before), ifNode(isOver, [BREAK]), ...nodes];
      return statementNode({ kind: "while", condition: TRUE, body: all });
    });
  }

  #for({ slot, values, body }: StatementOf<"for">): StatementNode[] {
    const names = this.#names;
    const { type, over } = iterationNode(values, names);
    return names.withVariable(slot, own => {
      const [name, element] = [nameNode(own), typeNode(type)];
      return this.#loop(body, nodes =>
        statementNode({ kind: "for", type: element, name, values: over, body: nodes }),
      );
    });
  }

  #checkCount(count: number): void {
    this.#count += count;
    if (this.#count > MAX_STATEMENTS)
      throw new SimulationError(
        `The program has more than ${MAX_STATEMENTS.toLocaleString("en-US")} statements, too many to write out.`,
      );
  }
}

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
