import type { Compute } from "../../circuit/memory.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { ExpressionNode, IndexNode, RangeNode } from "../syntax/ast.ts";
import { INT } from "../values/types.ts";
import { fault, located, Silent } from "./compiled.ts";
import type { ExpressionCompiler } from "./expressions.ts";
import type { PlacesRef } from "./scope.ts";

/** Makes a reference to places that are known before the run. */
export function knownPlaces(kind: PlacesRef["kind"], known: readonly number[], isSingle = false): PlacesRef {
  return { kind, known, run: () => known, width: known.length, isSingle };
}

/** Finds the qubits or bits that names, indices, slices and concatenations stand for. */
export class Places {
  readonly #expressions: ExpressionCompiler;
  readonly #singles = new WeakMap<PlacesRef, Map<number, PlacesRef>>();
  readonly #hardware: (index: number, node: ExpressionNode) => PlacesRef;

  constructor(expressions: ExpressionCompiler, hardware: (index: number, node: ExpressionNode) => PlacesRef) {
    this.#expressions = expressions;
    this.#hardware = hardware;
  }

  /** Tells whether an expression names qubits or classical bits. */
  isPlaces(node: ExpressionNode): boolean {
    if (node.kind === "index") return this.isPlaces(node.base);
    if (node.kind === "concatenation") return node.parts.every(part => this.isPlaces(part));
    if (node.kind === "hardware") return true;
    const symbol = node.kind === "name" ? this.#expressions.context.scope.find(node.name) : undefined;
    return typeof symbol === "object" && symbol.kind === "places";
  }

  /** Finds the qubits that an operand stands for. */
  qubits(node: ExpressionNode): PlacesRef {
    const ref = this.resolve(node);
    if (ref.kind !== "qubit") throw fault(node, "These are classical bits; qubits are needed here.");
    return ref;
  }

  /** Finds the classical bits that a target stands for. */
  bits(node: ExpressionNode): PlacesRef {
    const ref = this.resolve(node);
    if (ref.kind !== "bit") throw fault(node, "These are qubits; classical bits are needed here.");
    return ref;
  }

  /** Finds the qubits or bits that an expression stands for. */
  resolve(node: ExpressionNode): PlacesRef {
    switch (node.kind) {
      case "name": {
        const { scope } = this.#expressions.context;
        const symbol = scope.find(node.name);
        if (symbol === undefined)
          throw fault(node, `${node.name} is not declared.`, didYouMean(node.name, scope.names("places")));
        if (symbol === "hidden")
          throw fault(
            node,
            `${node.name} belongs to the program, which gates and subroutines cannot see.`,
            "Pass it as an argument.",
          );
        if (symbol.kind === "faulty") throw new Silent();
        if (symbol.kind !== "places") throw fault(node, `${node.name} is a ${symbol.kind}, not a register.`);
        return symbol.ref;
      }
      case "hardware":
        return this.#hardware(node.index, node);
      case "index": {
        if (node.items.length > 1)
          throw fault(node, "A register has one index.", "Write a set, as in `q[{0, 2}]`, for several.");
        return this.#indexed(this.resolve(node.base), node.items[0]!, node);
      }
      case "concatenation": {
        const parts = node.parts.map(part => this.resolve(part));
        if (parts.some(part => part.kind !== parts[0]!.kind))
          throw fault(node, "Qubits and classical bits cannot be joined.");
        const widths = parts.map(part => part.width);
        if (widths.reduce<number>((sum, width) => sum + (width ?? 0), 0) > LONGEST_SLICE)
          throw fault(
            node,
            `These are more than ${LONGEST_SLICE.toLocaleString("en-US")} ${parts[0]!.kind}s.`,
          );
        this.#expressions.context.countMembers(
          widths.reduce<number>((sum, width) => sum + (width ?? 0), 0),
          node.at,
        );
        return {
          kind: parts[0]!.kind,
          known: parts.every(part => part.known) ? parts.flatMap(part => part.known!) : null,
          run: memory => parts.flatMap(part => part.run(memory)),
          width: widths.every(width => width !== null)
            ? widths.reduce<number>((sum, width) => sum + width!, 0)
            : null,
          isSingle: false,
        };
      }
      default:
        throw fault(node, "A register, or a part of one, is needed here.");
    }
  }

  /** Gives the reference to one place of a register, made once. */
  #single(base: PlacesRef, place: number): PlacesRef {
    let singles = this.#singles.get(base);
    if (!singles) {
      singles = new Map();
      this.#singles.set(base, singles);
    }
    let single = singles.get(place);
    if (!single) {
      single = knownPlaces(base.kind, [place], true);
      singles.set(place, single);
    }
    return single;
  }

  #indexed(base: PlacesRef, item: IndexNode, node: ExpressionNode & { kind: "index" }): PlacesRef {
    if (base.isSingle) throw fault(node, `A single ${base.kind} has no index.`);
    const plain = item.kind === "integer" && base.known ? base.known[Number(item.value)] : undefined;
    if (plain !== undefined) return this.#single(base, plain);
    const name = node.base.kind === "name" ? node.base.name : "the register";
    const outside = (index: number, size: number) =>
      `The index ${index} is outside ${name}, which has ${size} ${base.kind}s${size > 0 ? ` (0 to ${size - 1})` : ""}.`;
    const pick = (places: readonly number[], indices: readonly number[]) =>
      indices.map(index => {
        const place = places[index < 0 ? places.length + index : index];
        if (place === undefined) throw new RangeError(outside(index, places.length));
        return place;
      });
    const indices = this.indices(item, base.width);
    const run = located<readonly number[]>(
      memory => pick(base.run(memory), indices.run(memory)),
      item,
      this.#expressions.context.locate,
    );
    const isSingle = item.kind !== "range" && item.kind !== "set";
    if (indices.known) {
      if (!isSingle) this.#expressions.context.countMembers(indices.known.length, item.at);
      const outer = indices.known.find(
        index => base.width !== null && (index >= base.width || index < -base.width),
      );
      if (outer !== undefined) throw fault(item, outside(outer, base.width!));
      if (base.known) return knownPlaces(base.kind, pick(base.known, indices.known), isSingle);
    }
    return {
      kind: base.kind,
      known: null,
      run,
      width: isSingle ? 1 : (indices.known?.length ?? null),
      isSingle,
    };
  }

  /** Compiles what stands between the brackets of an index, or behind the `in` of a loop, to a list of whole numbers. */
  indices(
    item: IndexNode,
    size: number | null,
  ): { known: readonly number[] | null; run: Compute<readonly number[]> } {
    const number = (node: ExpressionNode) => this.#expressions.compileTo(node, INT);
    if (item.kind === "range") return this.#range(item, size);
    if (item.kind === "set") {
      const items = item.items.map(number);
      const known = items.every(({ value }) => value !== undefined)
        ? items.map(({ value }) => Number(value))
        : null;
      return { known, run: memory => items.map(({ run }) => Number(run(memory))) };
    }
    const { value, run } = number(item);
    return { known: value === undefined ? null : [Number(value)], run: memory => [Number(run(memory))] };
  }

  #range(
    node: RangeNode,
    size: number | null,
  ): { known: readonly number[] | null; run: Compute<readonly number[]> } {
    const bounds = [node.start, node.step, node.stop].map(
      part => part && this.#expressions.compileTo(part, INT),
    );
    const [start, step, stop] = bounds;
    const last = size === null ? null : size - 1;
    const list = (values: (number | undefined)[]) => {
      const by = values[1] ?? 1;
      const from = values[0] ?? (by > 0 ? 0 : last);
      const to = values[2] ?? (by > 0 ? last : 0);
      if (by === 0) throw new RangeError("A range takes steps of zero.");
      if (from === null || to === null) throw new RangeError("Both ends of this range have to be given.");
      const negative = (end: number) => (end < 0 && size !== null ? end + size : end);
      return rangeOf(negative(from), by, negative(to));
    };
    const isKnown = bounds.every(part => !part || part.value !== undefined);
    try {
      const known = isKnown ? list(bounds.map(part => (part ? Number(part.value) : undefined))) : null;
      return {
        known,
        run: memory =>
          known ?? list([start, step, stop].map(part => (part ? Number(part.run(memory)) : undefined))),
      };
    } catch (error) {
      if (error instanceof RangeError) throw fault(node, error.message);
      throw error;
    }
  }
}

const LONGEST_SLICE = 1_000_000;

function rangeOf(from: number, by: number, to: number): number[] {
  const count = Math.max(0, Math.floor((to - from) / by) + 1);
  if (count > LONGEST_SLICE)
    throw new RangeError(`This slice has ${count.toLocaleString("en-US")} members, too many.`);
  return Array.from({ length: count }, (_, i) => from + i * by);
}
