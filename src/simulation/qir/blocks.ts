import type { CircuitBuilder } from "../circuit/builder.ts";
import type { Expression } from "../circuit/expression.ts";
import type { GraphEdge, Statement } from "../circuit/statement.ts";
import { fatalAt } from "../openqasm/diagnostics/diagnostic.ts";
import type { Operand } from "./operands.ts";
import type { QirToken } from "./tokens.ts";

/** Value that a phi node takes from the previous block, and its destination. */
interface Phi {
  readonly slot: number;
  readonly from: ReadonlyMap<string, Operand>;
}

/** A jump to a block by its name; without a name, to the code after the function. */
interface Link {
  readonly condition: Expression | null;
  readonly name: string | null;
  readonly at: number;
}

interface Block {
  readonly name: string;
  readonly phis: Phi[];
  readonly links: Link[];
  body: readonly Statement[];
  /** Whether a way out of it, or an end, was read. */
  isEnded: boolean;
}

/** The blocks of a function, and the ways between them. */
export class QirBlocks {
  readonly #builder: CircuitBuilder;
  readonly #blocks: Block[] = [];
  readonly #names = new Set<string>();
  /** The block in which each register is set and read, or null where there are several. */
  readonly #users = new Map<number, string | null>();

  constructor(builder: CircuitBuilder) {
    this.#builder = builder;
    this.#open("");
  }

  begin(name: string, at: number): void {
    this.#close();
    const { isEnded, name: before, body } = this.#last;
    if (before === "" && body.length === 0 && !isEnded) this.#blocks.pop();
    else this.#checkEnded(at);
    if (this.#names.size === this.#names.add(name).size)
      throw fatalAt(at, `The block ${name.slice(0, 60)} is there twice.`);
    this.#open(name);
  }

  /** Checks that an instruction at a place belongs to a block, which has not ended before it. */
  checkOpen(at: number): void {
    if (this.#last.isEnded) throw fatalAt(at, "A label is missing here, after the end of a block.");
  }

  /** Records that a register is set or read in the block. */
  use(slot: number): void {
    const { name } = this.#last;
    const user = this.#users.get(slot);
    this.#users.set(slot, user === undefined || user === name ? name : null);
  }

  /** Adds a phi node to the block: a register whose value depends on the block before. */
  phi(slot: number, from: ReadonlyMap<string, Operand>): void {
    this.#last.phis.push({ slot, from });
  }

  /** Goes to a block where a condition holds. */
  either(condition: Expression, label: QirToken): void {
    this.#last.links.push({ condition, name: label.text.slice(1), at: label.at });
  }

  jumpTo(label: QirToken): void {
    this.#exit({ condition: null, name: label.text.slice(1), at: label.at });
  }

  leave(at: number): void {
    this.#exit({ condition: null, name: null, at });
  }

  end(): void {
    this.#last.isEnded = true;
  }

  /** Returns the function as statements, once all of its blocks are read, up to a closing brace. */
  finish(at: number): readonly Statement[] {
    this.#close();
    this.#checkEnded(at);
    const places = new Map(this.#blocks.map(({ name }, i) => [name, i]));
    for (const { from } of this.#blocks.flatMap(({ phis }) => phis))
      for (const [label, { at }] of from)
        if (!places.has(label) && !(places.has("") && NUMBER.test(label))) throw noBlock(at, label);
    const edge = ({ condition, name, at }: Link, from: Block): GraphEdge => {
      if (name === null) return { condition, to: -1, moves: [], at };
      const to = places.get(name);
      if (to === undefined) throw noBlock(at, name);
      const moves = this.#blocks[to]!.phis.map(({ slot, from: given }) => {
        const isFrom = from.name === "" ? (label: string) => !places.has(label) : undefined;
        const value = isFrom ? [...given].find(([label]) => isFrom(label))?.[1] : given.get(from.name);
        if (!value) throw fatalAt(at, `A phi of ${name.slice(0, 60)} has no value for this way to it.`);
        return { slot, value: value.node };
      });
      return { condition, to, moves, at };
    };
    const locals = Map.groupBy(this.#users, ([, user]) => user);
    const blocks = this.#blocks.map(block => ({
      body: block.body,
      edges: block.links.map(link => edge(link, block)),
      locals: (locals.get(block.name) ?? []).map(([slot]) => slot),
    }));
    const [only] = blocks;
    if (blocks.length === 1 && only && only.edges.length <= 1 && only.edges.every(({ to }) => to < 0))
      return only.edges.length === 0 ? [...only.body, { kind: "end" }] : only.body;
    return [{ kind: "graph", blocks }];
  }

  get #last(): Block {
    return this.#blocks.at(-1)!;
  }

  #open(name: string): void {
    this.#blocks.push({ name, phis: [], links: [], body: [], isEnded: false });
  }

  #exit(link: Link): void {
    if (this.#last.isEnded) return;
    this.#last.links.push(link);
    this.#last.isEnded = true;
  }

  #close(): void {
    this.#last.body = this.#builder.take();
  }

  #checkEnded(at: number): void {
    if (!this.#last.isEnded) throw fatalAt(at, "The block before this ends without a branch or a `ret`.");
  }
}

/** The name of a block without a label. */
const NUMBER = /^\d+$/;

const noBlock = (at: number, name: string) => fatalAt(at, `There is no block ${name.slice(0, 60)}.`);
