import { EvaluationError } from "../errors.ts";
import {
  type ChainStep,
  type Computed,
  type Expression,
  isList,
  type OperandIndices,
  type ValueList,
} from "./expression.ts";
import { elementsAt, indicesWithin, joinedParts, mapped, membersAt, rangeWithin } from "./indexing.ts";
import { bitsOfWord, type Complex, type Compute, type Memory, type Value, wordOfBits } from "./memory.ts";
import { conversion } from "./values/conversions.ts";
import { COMPLEX, functionOf } from "./values/functions.ts";
import { resolveOperator } from "./values/operators.ts";
import { bitsOf, type Type, wrap } from "./values/types.ts";

/** Returns the function that computes an expression. It throws an {@link EvaluationError} where that has no value. */
export function evaluator(node: Expression): Compute {
  switch (node.kind) {
    case "constant": {
      const { value } = node;
      return () => value;
    }
    case "slot": {
      const { slot } = node;
      return ({ slots }) => slots[slot]!;
    }
    case "bits":
      return bitReader(node.bits);
    case "element": {
      const run = indexEvaluator(node.slots);
      return memory => memory.slots[run(memory)[0]!]!;
    }
    case "select": {
      const [condition, yes, no] = [evaluator(node.condition), evaluator(node.yes), evaluator(node.no)];
      return memory => (condition(memory) ? yes(memory) : no(memory));
    }
    case "concatenation": {
      const parts = node.parts.map(part => ({ run: evaluator(part), width: BigInt(bitsOf(part.type)) }));
      return memory =>
        parts.reduce((joined, { run, width }) => (joined << width) | (run(memory) as bigint), 0n);
    }
    case "binary":
      if (node.operator === "&&" || node.operator === "||") return logical(node);
      return FAILING.has(node.operator) ? located(binary(node), node.at) : binary(node);
    case "chain":
      return chain(node);
    case "unary":
    case "cast":
      return located(mapping(evaluator(node.operand), changeOf(node)), node.at);
    case "call":
      return located(call(node), node.at);
    case "extract":
      return extraction(node);
    case "insert":
      return insertion(node);
    case "lookup":
      return located(mapping(evaluator(node.index), entryOf(node.table)), node.at);
    case "sizeof":
      return located(mapping(evaluator(node.dimension), sizeOf(node.sizes)), node.at);
    case "claim": {
      const { slot, at } = node;
      return ({ slots }) => {
        if (slots[slot] === true) throw new EvaluationError(ALLOCATED, at);
        return true;
      };
    }
    case "void":
      return () => 0n;
    case "input":
    case "extern":
      return () => {
        throw new EvaluationError(absent(node), node.at);
      };
  }
}

export function indexEvaluator(indices: OperandIndices): Compute<readonly number[]> {
  if (isList(indices)) return () => indices;
  switch (indices.kind) {
    case "slot": {
      const { slot } = indices;
      return ({ slots }) => slots[slot] as readonly number[];
    }
    case "values": {
      const values = indices.values.map(evaluator);
      return memory => values.map(run => Number(run(memory)));
    }
    case "range": {
      const [start, step, stop] = [indices.start, indices.step, indices.stop].map(end =>
        end ? evaluator(end) : null,
      );
      const { size } = indices;
      const number = (end: Compute | null | undefined, memory: Memory) =>
        end ? Number(end(memory)) : undefined;
      return memory => rangeWithin(number(start, memory), number(step, memory), number(stop, memory), size);
    }
    case "joined": {
      const parts = indices.parts.map(indexEvaluator);
      return located(
        memory =>
          joinedParts(
            parts.map(run => run(memory)),
            indices,
          ),
        indices.at,
      );
    }
    case "members": {
      const [base, chosen] = [indexEvaluator(indices.base), indexEvaluator(indices.indices)];
      return located(memory => membersAt(base(memory), chosen(memory), indices), indices.at);
    }
    case "within": {
      const run = indexEvaluator(indices.indices);
      return located(memory => indicesWithin(run(memory), indices.size, indices.of), indices.at);
    }
    case "elements": {
      const base = indexEvaluator(indices.base);
      const lists = indices.indices.map(indexEvaluator);
      return memory =>
        elementsAt(
          base(memory),
          indices.sizes,
          lists.map(run => run(memory)),
        );
    }
    case "mapped": {
      const index = evaluator(indices.index);
      return located(memory => mapped(Number(index(memory)), indices), indices.at);
    }
  }
}

/** Operators that have no value for some operands. */
const FAILING: ReadonlySet<string> = new Set(["/", "%", "**", "<<", ">>"]);

const NO_MEMORY: Memory = { slots: [], readBit: () => 0, writeBit: () => {} };

/** Returns the value of an expression all of whose parts are constants. */
export const constantValue = (node: Expression): Value => evaluator(node)(NO_MEMORY);

/** Makes a computation say where in the program it failed. */
function located<T extends Value>(run: Compute<T>, at: number | undefined): Compute<T> {
  return memory => {
    try {
      return run(memory);
    } catch (error) {
      throw error instanceof RangeError ? new EvaluationError(error.message, at) : error;
    }
  };
}

const mapping =
  (run: Compute, change: (value: Value) => Value): Compute =>
  memory =>
    change(run(memory));

function bitReader(indices: OperandIndices): Compute {
  if (isList(indices) && indices.length === 1) {
    const [bit] = indices as [number];
    return memory => BigInt(memory.readBit(bit));
  }
  const run = indexEvaluator(indices);
  return memory => wordOfBits(run(memory).map(bit => memory.readBit(bit)));
}

function logical({ operator, left, right }: Computed & { kind: "binary" }): Compute {
  const [a, b] = [evaluator(left), evaluator(right)];
  return operator === "&&" ? memory => a(memory) && b(memory) : memory => a(memory) || b(memory);
}

function binary({ operator, left, right, isReal = false }: Computed & { kind: "binary" }): Compute {
  const { apply } = resolveOperator(operator, left.type, right.type, isReal)!;
  const [a, b] = [evaluator(left), evaluator(right)];
  if (right.kind === "constant") {
    const { value } = right;
    return memory => apply(a(memory), value);
  }
  return memory => apply(a(memory), b(memory));
}

function chain({ first, steps }: Computed & { kind: "chain" }): Compute {
  const run = evaluator(first);
  const changes = steps.map((step, i) => stepOf(step, (steps[i - 1] ?? first).type));
  return memory => changes.reduce((value, change) => change(value, memory), run(memory));
}

/** Applies an operator of a chain to the value so far, which has a type. */
function stepOf(
  { operator, operand, isReal = false, at }: ChainStep,
  type: Type,
): (value: Value, memory: Memory) => Value {
  const run = evaluator(operand);
  if (operator === "&&") return (value, memory) => value && run(memory);
  if (operator === "||") return (value, memory) => value || run(memory);
  const { apply } = resolveOperator(operator, type, operand.type, isReal)!;
  if (!FAILING.has(operator)) return (value, memory) => apply(value, run(memory));
  return (value, memory) => located(() => apply(value, run(memory)), at)(memory);
}

function changeOf(node: Computed & { kind: "unary" | "cast" }): (value: Value) => Value {
  const { type, operand } = node;
  if (node.kind === "cast") return conversion(operand.type, type, node.conversion)!;
  switch (node.operator) {
    case "!":
      return value => !value;
    case "~":
      return type.kind === "bool" ? value => !value : value => wrap(~(value as bigint), type);
    case "-":
      return negation(type);
  }
}

function negation(type: Type): (value: Value) => Value {
  if (type.kind === "complex") return value => COMPLEX["-"]({ re: 0, im: 0 }, value as Complex);
  return value => (typeof value === "bigint" ? wrap(-value, type) : -(value as number));
}

function call({ name, args }: Computed & { kind: "call" }): Compute {
  const apply = functionOf(
    name,
    args.map(arg => arg.type),
  )!;
  const [first, second] = args.map(evaluator);
  if (!second) return memory => apply(first!(memory));
  return memory => apply(first!(memory), second(memory));
}

function extraction({ operand, positions }: Computed & { kind: "extract" }): Compute {
  const [run, chosen] = [evaluator(operand), indexEvaluator(positions)];
  const width = bitsOf(operand.type);
  return memory => {
    const value = run(memory) as bigint;
    const list = chosen(memory);
    if (list.length === 1) return (value >> BigInt(list[0]!)) & 1n;
    const all = bitsOfWord(value, width);
    return wordOfBits(list.map(place => all[place]!));
  };
}

function insertion({ type, operand, positions, bits }: Computed & { kind: "insert" }): Compute {
  const [run, chosen, given] = [evaluator(operand), indexEvaluator(positions), evaluator(bits)];
  return memory => {
    const value = given(memory) as bigint;
    let word = BigInt.asUintN(bitsOf(type), run(memory) as bigint);
    chosen(memory).forEach((place, i) => {
      const mask = 1n << BigInt(place);
      word = (value >> BigInt(i)) & 1n ? word | mask : word & ~mask;
    });
    return wrap(word, type);
  };
}

const entryOf = (table: readonly Value[]) => (index: Value) => {
  const value = table[Number(index)];
  if (value === undefined) throw new RangeError("This is outside of the array.");
  return value;
};

const sizeOf = (sizes: readonly number[]) => (index: Value) => {
  const size = sizes[Number(index)];
  if (size === undefined)
    throw new RangeError(`This array has no dimension ${index}; it has ${sizes.length}, counted from 0.`);
  return Number.isFinite(size) ? BigInt(size) : 0n;
};

const ALLOCATED =
  "A qubit is allocated here again before it is released; allocate all that a loop needs in front of it.";

const absent = ({ kind, name }: Computed & { kind: "input" | "extern" }): string =>
  kind === "input"
    ? `The input ${name} has no value.`
    : `The function ${name} is extern: its effect is unknown, so the program cannot run past this call.`;

export function listEvaluator(list: ValueList): Compute<readonly Value[]> {
  switch (list.kind) {
    case "constants":
      return () => list.values;
    case "values": {
      const values = list.values.map(evaluator);
      return memory => values.map(run => run(memory));
    }
    case "slots": {
      const run = indexEvaluator(list.slots);
      return memory => run(memory).map(slot => memory.slots[slot]!);
    }
    case "bits": {
      const run = evaluator(list.operand);
      return memory => {
        const value = run(memory) as bigint;
        return Array.from({ length: list.width }, (_, i) => (value >> BigInt(i)) & 1n);
      };
    }
    case "joined": {
      const lists = list.lists.map(listEvaluator);
      return memory => lists.flatMap(run => run(memory));
    }
  }
}
