import { compositeGate, type Gate, type GateStep } from "../../circuit/gate.ts";
import { FLOAT } from "../../circuit/values/types.ts";
import { DiagnosticError, errorAt, tooMany } from "../diagnostics/diagnostic.ts";
import { AlreadyReportedError, compileType } from "../expressions/compiled.ts";
import { withinScope } from "../expressions/context.ts";
import { compileIndices, knownRegister, resolveQubits } from "../expressions/registers.ts";
import { Scope, type ScopeEntry } from "../expressions/scope.ts";
import type { ExpressionNode, NameNode, NodeList, StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { calledGate, callParams, checkDistinct, checkOperands, STEP_WEIGHT } from "./gate-calls.ts";

const MAX_STEPS = 100_000;

/** Compiles the definition of a gate. Its qubits are numbered from 0; its parameters are the slots of its own memory. */
export function defineGate(context: LoweringContext, node: StatementNode & { kind: "gate" }): Gate {
  const { diagnostics, limits } = context;
  let count = 0;
  const scope = new Scope(context.scope, true);
  const declare = (name: NameNode, entry: ScopeEntry) => {
    if (!scope.declare(name.name, entry)) throw errorAt(name, `${name.name} is declared twice.`);
  };
  node.params.forEach((param, slot) => {
    declare(param, { kind: "variable", type: FLOAT, slot });
  });
  node.qubits.forEach((qubit, place) => {
    declare(qubit, { kind: "register", ref: knownRegister("qubit", [place], true) });
  });
  const steps: GateStep[] = [];
  withinScope(context, scope, () => lowerBody(node.body!));
  const gate = compositeGate(node.name.name, node.params.length, node.qubits.length, steps, {
    operandNames: node.qubits.map(({ name }) => name),
  });
  if (gate.depth > limits.maxDepth)
    throw errorAt(
      node.name,
      `The definition of ${gate.name} nests more than ${limits.maxDepth} levels of gates.`,
    );
  return gate;

  function tally(at: number): void {
    if (++count > MAX_STEPS) throw tooMany(at, "The gate has", MAX_STEPS, "steps");
  }

  /** Lowers statements; returns whether all of them were right. */
  function lowerBody(body: NodeList): boolean {
    let isRight = true;
    for (const statement of body) {
      try {
        tally(statement.at);
        lowerStep(statement);
      } catch (error) {
        isRight = false;
        if (error instanceof DiagnosticError) diagnostics.report(error);
        else if (!(error instanceof AlreadyReportedError)) throw error;
      }
    }
    return isRight;
  }

  /** Returns the place of a qubit among those of the gate. */
  function place(operand: ExpressionNode): number {
    if (operand.kind === "hardware")
      throw errorAt(
        operand,
        `The gate ${node.name.name} cannot name the physical qubit $${operand.index}; it acts on the qubits that it is called with.`,
        "Name it among the qubits of the gate, and pass it where the gate is called.",
      );
    return resolveQubits(context, operand).known![0]!;
  }

  function lowerStep(statement: StatementNode): void {
    switch (statement.kind) {
      case "verbatim":
        return;
      case "nop":
      case "barrier":
        for (const operand of statement.operands) place(operand);
        return;
      case "block":
        lowerBody(statement.body);
        return;
      case "call": {
        const { gate, modifiers } = calledGate(context, statement);
        if (modifiers)
          throw errorAt(statement, "The exponent of a power has to be a constant in the body of a gate.");
        const params = callParams(context, statement, gate);
        const qubits = statement.operands.map(place);
        checkOperands(statement, gate, qubits.length);
        checkDistinct(statement, gate, qubits);
        steps.push({ gate, params, qubits });
        return;
      }
      case "for": {
        const { known } = compileIndices(context, statement.values, null);
        if (!known) throw errorAt(statement, "A loop in the body of a gate has to run over constants.");
        const weight = STEP_WEIGHT * (1 + statement.body.length);
        const what = () => "The loops in the bodies of gates have too many rounds";
        for (const value of known) {
          tally(statement.at);
          context.expansion.add(weight, statement.at, what);
          const round = new Scope(context.scope);
          const type = compileType(context, statement.type);
          round.declare(statement.name.name, { kind: "constant", type, value: BigInt(value), isConst: true });
          if (!withinScope(context, round, () => lowerBody(statement.body))) break;
        }
        return;
      }
      default:
        throw errorAt(
          statement,
          "The body of a gate can only call gates.",
          "Write a subroutine instead, as in `def f(qubit q) { … }`.",
        );
    }
  }
}
