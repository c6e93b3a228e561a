import { compositeGate, type Gate, type GateStep } from "../../circuit/gate.ts";
import { FLOAT } from "../../circuit/values/types.ts";
import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { AlreadyReportedError, errorAt } from "../expressions/compiled.ts";
import { knownRegister } from "../expressions/registers.ts";
import { Scope } from "../expressions/scope.ts";
import type { ExpressionNode, NodeList, StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { calledGate, callParams, repeatedAt, STEP_WEIGHT } from "./gate-calls.ts";

const MAX_STEPS = 100_000;

/** Compiles the definition of a gate. Its qubits are numbered from 0; its parameters are the slots of its own memory. */
export function defineGate(context: LoweringContext, node: StatementNode & { kind: "gate" }): Gate {
  const { expressions, registers, diagnostics } = context;
  const { maxDepth } = context.limits;
  let count = 0;
  const names = expressions.context;
  const outer = names.scope;
  const scope = new Scope(outer, true);
  names.scope = scope;
  try {
    const declare = (name: { name: string; at: number; end: number }, isNew: boolean) => {
      if (!isNew) throw errorAt(name, `${name.name} is declared twice.`);
    };
    node.params.forEach((param, slot) => {
      declare(param, scope.declare(param.name, { kind: "variable", type: FLOAT, slot }));
    });
    node.qubits.forEach((qubit, place) => {
      declare(
        qubit,
        scope.declare(qubit.name, { kind: "register", ref: knownRegister("qubit", [place], true) }),
      );
    });
    const steps: GateStep[] = [];
    lowerBody(node.body!, steps);
    const gate = compositeGate(node.name.name, node.params.length, node.qubits.length, steps, {
      operandNames: node.qubits.map(({ name }) => name),
    });
    if (gate.depth > maxDepth)
      throw errorAt(node.name, `The definition of ${gate.name} nests more than ${maxDepth} levels of gates.`);
    return gate;
  } finally {
    names.scope = outer;
  }

  function tally(at: number): void {
    if (++count > MAX_STEPS)
      throw new DiagnosticError(at, `The gate has more than ${MAX_STEPS.toLocaleString("en-US")} steps.`, {
        isFatal: true,
      });
  }

  /** Lowers statements; returns whether all of them were right. */
  function lowerBody(body: NodeList, steps: GateStep[]): boolean {
    let isRight = true;
    for (const statement of body) {
      try {
        tally(statement.at);
        lowerStep(statement, steps);
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
    return registers.qubits(operand).known![0]!;
  }

  function lowerStep(statement: StatementNode, steps: GateStep[]): void {
    switch (statement.kind) {
      case "verbatim":
        return;
      case "nop":
      case "barrier":
        for (const operand of statement.operands) place(operand);
        return;
      case "block":
        lowerBody(statement.body, steps);
        return;
      case "call": {
        const { gate, modifiers } = calledGate(context, statement);
        if (modifiers)
          throw errorAt(statement, "The exponent of a power has to be a constant in the body of a gate.");
        const params = callParams(context, statement, gate);
        const qubits = statement.operands.map(place);
        if (qubits.length !== gate.numQubits)
          throw errorAt(statement.name, `${gate.name} takes ${gate.numQubits} qubits, not ${qubits.length}.`);
        const again = repeatedAt(qubits);
        if (again >= 0)
          throw errorAt(statement.operands[again]!, `${gate.name} is applied to the same qubit twice.`);
        steps.push({ gate, params, qubits });
        return;
      }
      case "for": {
        const { known } = registers.indices(statement.values, null);
        if (!known) throw errorAt(statement, "A loop in the body of a gate has to run over constants.");
        const before = names.scope;
        const weight = STEP_WEIGHT * (1 + statement.body.length);
        for (const value of known) {
          tally(statement.at);
          context.expansion.add(
            weight,
            statement.at,
            () => "The loops in the bodies of gates have too many rounds",
          );
          names.scope = new Scope(before);
          names.scope.declare(statement.name.name, {
            kind: "constant",
            type: expressions.type(statement.type),
            value: BigInt(value),
            isConst: true,
          });
          if (!lowerBody(statement.body, steps)) break;
        }
        names.scope = before;
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
