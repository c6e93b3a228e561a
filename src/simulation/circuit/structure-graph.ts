import type { CircuitParts } from "./circuit.ts";
import { type GraphLoop, loopsOf, postDominators, reversePostorder, successorsOf } from "./control-flow.ts";
import { type Computed, constant, type Expression } from "./expression.ts";
import { formatExpression } from "./format-expression.ts";
import { bodiesOf, everyStatement, type GraphBlock, type GraphEdge, type Statement } from "./statement.ts";
import { BOOL } from "./values/types.ts";

/** Maximum number of statements that a graph becomes: what several branches lead to is repeated in each of them. */
const MAX_STATEMENTS = 100_000;
/** Maximum number of branches within each other, of what is read and of what stands in the place of an `else`. */
const MAX_DEPTH = 500;

/**
 * Returns a control-flow graph as branches and loops within each other, for a reader. Returns null where it has loops
 * that are entered or left in several places, or comes to too many statements, or to branches that are nested too deep.
 */
export function structuredGraph(
  blocks: readonly GraphBlock[],
  classical: CircuitParts["classical"],
): readonly Statement[] | null {
  const successors = successorsOf(blocks);
  const loops = loopsOf(successors);
  if (!loops) return null;
  try {
    return new Structurer(blocks, successors, loops, classical).statements();
  } catch (error) {
    if (error instanceof Unstructured) return null;
    throw error;
  }
}

class Unstructured extends Error {
  override name = "Unstructured";
}

/** Visited region: the whole graph, or the body of a loop. */
interface Region {
  readonly header: number | null;
  readonly exit: number | null;
  readonly joins: ReadonlyMap<number, number>;
}

class Structurer {
  readonly #blocks: readonly GraphBlock[];
  readonly #successors: readonly (readonly number[])[];
  readonly #loops: ReadonlyMap<number, GraphLoop>;
  readonly #classical: CircuitParts["classical"];
  readonly #definitions = new Map<number, Expression | null>();
  #count = 0;
  #depth = 0;

  constructor(
    blocks: readonly GraphBlock[],
    successors: readonly (readonly number[])[],
    loops: ReadonlyMap<number, GraphLoop>,
    classical: CircuitParts["classical"],
  ) {
    this.#blocks = blocks;
    this.#successors = successors;
    this.#loops = loops;
    this.#classical = classical;
    this.#define([{ kind: "graph", blocks }]);
  }

  statements(): Statement[] {
    return this.#from(0, -1, this.#region(null), false);
  }

  /** Records the values of slots that are assigned in one place alone. */
  #define(statements: readonly Statement[]): void {
    const set = (slot: number, value: Expression) =>
      this.#definitions.set(slot, this.#definitions.has(slot) ? null : value);
    for (const statement of statements) {
      if (statement.kind === "assign") set(statement.slot, statement.value);
      if (statement.kind === "graph")
        for (const { moves } of statement.blocks.flatMap(({ edges }) => edges))
          for (const { slot } of moves) this.#definitions.set(slot, null);
      for (const body of bodiesOf(statement)) this.#define(body);
    }
  }

  #region(header: number | null): Region {
    const loop = header === null ? undefined : this.#loops.get(header);
    const exit = loop?.exit ?? null;
    const next = (block: number): number[] => {
      const inner = block === header ? undefined : this.#loops.get(block);
      const all = inner ? [inner.exit ?? -1] : (this.#successors[block] ?? []);
      return all.filter(to => to >= 0 && to < this.#blocks.length && to !== header && to !== exit);
    };
    const first = header ?? 0;
    const order = reversePostorder(first, next);
    const leaves = (block: number) => (this.#loops.has(block) && block !== header ? 1 : 0);
    const joins = postDominators(order, block => {
      const to = next(block);
      const isOpen = leaves(block) === 0 && to.length < (this.#successors[block]?.length ?? 0);
      return isOpen ? [...to, -1] : to;
    });
    return { header, exit, joins };
  }

  #from(first: number, stop: number, region: Region, isHead: boolean): Statement[] {
    const out: Statement[] = [];
    let isStart = isHead;
    for (let block = first; block !== stop || isStart; isStart = false) {
      if (++this.#count > MAX_STATEMENTS) throw new Unstructured();
      if (!isStart && block === region.header) return [...out, { kind: "continue" }];
      if (block === region.exit) return [...out, { kind: "break" }];
      if (block < 0) {
        if (region.header !== null) throw new Unstructured();
        return out;
      }
      const loop = isStart ? undefined : this.#loops.get(block);
      if (loop) {
        const body = this.#from(block, -2, this.#region(block), true);
        const condition = constant(BOOL, true);
        out.push({ kind: "while", label: "loop", before: [], condition, body });
        if (loop.exit === null) return out;
        block = loop.exit;
        continue;
      }
      const { body, edges } = this.#blocks[block]!;
      for (const statement of body) out.push(statement);
      if (edges.length === 0) return [...out, { kind: "end" }];
      if (edges.length === 1) {
        for (const move of movesOf(edges[0]!)) out.push(move);
        block = edges[0]!.to;
        continue;
      }
      const join = region.joins.get(block) ?? -1;
      for (const statement of this.#branches(edges, join, region)) out.push(statement);
      if (join < 0) return out;
      block = join;
    }
    return out;
  }

  /** Returns the branches on edges, of which each is tried where the conditions of those before it are false. */
  #branches(edges: readonly GraphEdge[], join: number, region: Region): Statement[] {
    const always = edges.findIndex(({ condition }) => !condition);
    let statements: Statement[] = [];
    let depth = ++this.#depth;
    const isLast = join < 0 && region.header === null;
    for (const edge of edges.slice(0, always < 0 ? edges.length : always + 1).toReversed()) {
      const taken = [...movesOf(edge), ...this.#from(edge.to, join, region, false)];
      statements = edge.condition ? this.#branch(edge.condition, taken, statements, isLast) : taken;
      if (statements.length > 0 && ++depth > MAX_DEPTH) throw new Unstructured();
    }
    this.#depth--;
    return statements;
  }

  #branch(test: Expression, taken: Statement[], otherwise: Statement[], isLast: boolean): Statement[] {
    const condition = this.#resolved(test);
    const name = formatExpression(condition, this.#classical);
    if (isSilent(taken, isLast) && isSilent(otherwise, isLast)) return [];
    if (!isSilent(taken, isLast)) {
      const rest = isSilent(otherwise, isLast) ? null : otherwise;
      return [{ kind: "if", label: `if ${name}`, condition, body: taken, otherwise: rest }];
    }
    const inverted: Computed = { kind: "unary", operator: "!", type: BOOL, operand: condition };
    return [{ kind: "if", label: `if !${name}`, condition: inverted, body: otherwise, otherwise: null }];
  }

  /** Returns an expression with what its slots are set to in their place. */
  #resolved(node: Expression): Expression {
    switch (node.kind) {
      case "slot": {
        const value = this.#definitions.get(node.slot);
        return value ? this.#resolved(value) : node;
      }
      case "cast":
      case "unary":
        return { ...node, operand: this.#resolved(node.operand) };
      case "binary":
        return { ...node, left: this.#resolved(node.left), right: this.#resolved(node.right) };
      default:
        return node;
    }
  }
}

/** Whether nothing in statements is of interest to a reader; the end of the program is none where nothing follows. */
const isSilent = (statements: readonly Statement[], isLast: boolean): boolean =>
  everyStatement(
    statements,
    ({ kind }) => kind === "assign" || kind === "fill" || (isLast && kind === "end"),
  );

function movesOf({ moves }: GraphEdge): Statement[] {
  const [only] = moves;
  if (!only) return [];
  if (moves.length === 1) return [{ kind: "assign", ...only }];
  const values = moves.map(({ value }) => value);
  return [{ kind: "fill", slots: moves.map(({ slot }) => slot), values: { kind: "values", values } }];
}
