import type { CircuitParts } from "./circuit-parts.ts";
import { type Computed, constant, type Expression } from "./expression.ts";
import { formatExpression } from "./format-expression.ts";
import { bodiesOf, everyStatement, type GraphBlock, type GraphEdge, type Statement } from "./statement.ts";
import { BOOL } from "./values/types.ts";

/** Maximum number of statements that a graph becomes: what several branches lead to is repeated in each of them. */
const MAX_STATEMENTS = 100_000;
/** Maximum number of branches within each other, of what is read and of what is in the place of an `else`. */
const MAX_DEPTH = 500;

/**
 * Structures a control-flow graph into nested branches and loops. Assignments are left out for a reader, and kept for a run.
 * Returns null for irreducible loops, for loops with several exits, and above the limits of statements and nesting.
 */
export function structuredGraph(
  blocks: readonly GraphBlock[],
  classical: CircuitParts["classical"],
  keepsAssignments = false,
): readonly Statement[] | null {
  const successors = successorsOf(blocks);
  const found = loopsOf(successors);
  if (!found) return null;
  const loops = found;
  const definitions = new Map<number, Expression | null>();
  define([{ kind: "graph", blocks }]);
  let count = 0;
  let nesting = 0;
  try {
    return from(0, -1, regionOf(null), false);
  } catch (error) {
    if (error instanceof Unstructured) return null;
    throw error;
  }

  /** Records the values of slots that are assigned in only one place. */
  function define(statements: readonly Statement[]): void {
    const set = (slot: number, value: Expression) =>
      definitions.set(slot, definitions.has(slot) ? null : value);
    for (const statement of statements) {
      if (statement.kind === "assign") set(statement.slot, statement.value);
      if (statement.kind === "graph")
        for (const { moves } of statement.blocks.flatMap(({ edges }) => edges))
          for (const { slot } of moves) definitions.set(slot, null);
      for (const body of bodiesOf(statement)) define(body);
    }
  }

  function regionOf(header: number | null): Region {
    const loop = header === null ? undefined : loops.get(header);
    const exit = loop?.exit ?? null;
    const next = (block: number): number[] => {
      const inner = block === header ? undefined : loops.get(block);
      const all = inner ? [inner.exit ?? -1] : (successors[block] ?? []);
      return all.filter(to => to >= 0 && to < blocks.length && to !== header && to !== exit);
    };
    const first = header ?? 0;
    const order = reversePostorder(first, next);
    const leaves = (block: number) => (loops.has(block) && block !== header ? 1 : 0);
    const joins = postDominators(order, block => {
      const to = next(block);
      const isOpen = leaves(block) === 0 && to.length < (successors[block]?.length ?? 0);
      return isOpen ? [...to, -1] : to;
    });
    return { header, exit, joins };
  }

  function from(first: number, stop: number, region: Region, isHead: boolean): Statement[] {
    const out: Statement[] = [];
    let isStart = isHead;
    for (let block = first; block !== stop || isStart; isStart = false) {
      if (++count > MAX_STATEMENTS) throw new Unstructured();
      if (!isStart && block === region.header) return [...out, { kind: "continue" }];
      if (block === region.exit) return [...out, { kind: "break" }];
      if (block < 0) {
        if (region.header !== null) throw new Unstructured();
        return out;
      }
      const loop = isStart ? undefined : loops.get(block);
      if (loop) {
        const body = from(block, -2, regionOf(block), true);
        const condition = constant(BOOL, true);
        out.push({ kind: "while", label: "loop", before: [], condition, body });
        if (loop.exit === null) return out;
        block = loop.exit;
        continue;
      }
      const { body, edges } = blocks[block]!;
      for (const statement of body) out.push(statement);
      if (edges.length === 0) return [...out, { kind: "end" }];
      if (edges.length === 1) {
        for (const move of movesOf(edges[0]!)) out.push(move);
        block = edges[0]!.to;
        continue;
      }
      const join = region.joins.get(block) ?? -1;
      for (const statement of branches(edges, join, region)) out.push(statement);
      if (join < 0) return out;
      block = join;
    }
    return out;
  }

  /** Returns the branches on edges, of which each is tried where the conditions of those before it are false. */
  function branches(edges: readonly GraphEdge[], join: number, region: Region): Statement[] {
    const always = edges.findIndex(({ condition }) => !condition);
    let statements: Statement[] = [];
    let depth = ++nesting;
    const isLast = join < 0 && region.header === null;
    for (const edge of edges.slice(0, always < 0 ? edges.length : always + 1).toReversed()) {
      const taken = [...movesOf(edge), ...from(edge.to, join, region, false)];
      statements = edge.condition ? branch(edge.condition, taken, statements, isLast) : taken;
      if (statements.length > 0 && ++depth > MAX_DEPTH) throw new Unstructured();
    }
    nesting--;
    return statements;
  }

  function branch(
    test: Expression,
    taken: Statement[],
    otherwise: Statement[],
    isLast: boolean,
  ): Statement[] {
    const condition = resolved(test);
    const name = formatExpression(condition, classical);
    const [isNothing, isRestNothing] = [isSilent(taken, isLast), isSilent(otherwise, isLast)];
    if (isNothing && isRestNothing) return [];
    if (!isNothing) {
      const rest = isRestNothing ? null : otherwise;
      return [{ kind: "if", label: `if ${name}`, condition, body: taken, otherwise: rest }];
    }
    const inverted: Computed = { kind: "unary", operator: "!", type: BOOL, operand: condition };
    return [{ kind: "if", label: `if !${name}`, condition: inverted, body: otherwise, otherwise: null }];
  }

  /** Whether nothing in statements is of interest; the end of the program is none where nothing follows. */
  function isSilent(statements: readonly Statement[], isLast: boolean): boolean {
    return everyStatement(
      statements,
      ({ kind }) =>
        (!keepsAssignments && (kind === "assign" || kind === "fill")) || (isLast && kind === "end"),
    );
  }

  /** Returns an expression with what its slots are set to in their place. */
  function resolved(node: Expression): Expression {
    if (keepsAssignments) return node;
    switch (node.kind) {
      case "slot": {
        const value = definitions.get(node.slot);
        return value ? resolved(value) : node;
      }
      case "cast":
      case "unary":
        return { ...node, operand: resolved(node.operand) };
      case "binary":
        return { ...node, left: resolved(node.left), right: resolved(node.right) };
      default:
        return node;
    }
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

function movesOf({ moves }: GraphEdge): Statement[] {
  const [only] = moves;
  if (!only) return [];
  if (moves.length === 1) return [{ kind: "assign", ...only }];
  const values = moves.map(({ value }) => value);
  return [{ kind: "fill", slots: moves.map(({ slot }) => slot), values: { kind: "values", values } }];
}

/** A loop of a control-flow graph: its blocks, and the one block that it is left for; -1 is the end of the graph. */
interface GraphLoop {
  readonly blocks: ReadonlySet<number>;
  /** Null where it is never left. */
  readonly exit: number | null;
}

/** Returns the blocks that each block leads to; the number of blocks stands for the end of the graph. */
const successorsOf = (blocks: readonly GraphBlock[]): number[][] =>
  blocks.map(({ edges }) => [...new Set(edges.map(({ to }) => (to < 0 ? blocks.length : to)))]);

/** Lists the blocks reached from a block in topological order, ignoring the edges that close loops. */
export function reversePostorder(first: number, next: (block: number) => readonly number[]): number[] {
  const finished: number[] = [];
  const seen = new Set([first]);
  const path = [{ block: first, rest: [...next(first)] }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const to = top.rest.pop();
    if (to === undefined) {
      finished.push(top.block);
      path.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      path.push({ block: to, rest: [...next(to)] });
    }
  }
  return finished.reverse();
}

/** Returns the loops of a graph by their first blocks, or null where one is entered or left in several places. */
function loopsOf(successors: readonly (readonly number[])[]): Map<number, GraphLoop> | null {
  const end = successors.length;
  const next = (block: number) => successors[block] ?? [];
  const order = reversePostorder(0, next);
  const place = new Map(order.map((block, i) => [block, i]));
  const predecessors = new Map<number, number[]>();
  for (const block of order)
    for (const to of next(block)) predecessors.set(to, [...(predecessors.get(to) ?? []), block]);
  const loops = new Map<number, GraphLoop>();
  for (const header of order) {
    const open = (predecessors.get(header) ?? []).filter(from => place.get(from)! >= place.get(header)!);
    if (open.length === 0) continue;
    const blocks = new Set([header]);
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      if (blocks.has(block)) continue;
      if (block === order[0]) return null;
      blocks.add(block);
      open.push(...(predecessors.get(block) ?? []));
    }
    const exits = new Set([...blocks].flatMap(next).filter(to => !blocks.has(to)));
    if (exits.size > 1) return null;
    const [exit = null] = exits;
    loops.set(header, { blocks, exit: exit === end ? -1 : exit });
  }
  return loops;
}

/** Returns for each block of an order without loops the next one that every way from it leads through, or -1. */
function postDominators(
  order: readonly number[],
  next: (block: number) => readonly number[],
): Map<number, number> {
  const place = new Map(order.map((block, i) => [block, i]));
  const joins = new Map<number, number>();
  const common = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      if (x < 0 || y < 0) return -1;
      if (place.get(x)! < place.get(y)!) x = joins.get(x)!;
      else y = joins.get(y)!;
    }
    return x;
  };
  for (const block of order.toReversed()) {
    const [first = -1, ...rest] = next(block);
    joins.set(block, rest.reduce(common, first));
  }
  return joins;
}
