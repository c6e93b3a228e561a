import type { CircuitBuilder } from "../circuit/builder.ts";
import type { Compute } from "../circuit/memory.ts";
import { Fault } from "../openqasm/diagnostics/diagnostic.ts";
import type { Operand } from "./operands.ts";
import type { QirToken } from "./tokens.ts";

/** What a phi node takes from the block before, and where it puts it. */
interface Phi {
  readonly slot: number;
  readonly from: ReadonlyMap<string, Operand>;
}

/** A jump to a block by its name, with what the block's phi nodes take from here. */
interface Link {
  readonly jump: { target: number };
  readonly moves: { slot: number; run: Compute }[];
  readonly name: string;
  readonly from: string;
  readonly at: number;
}

/** The blocks of a function: where they begin, and the jumps between them. */
export class QirBlocks {
  readonly #builder: CircuitBuilder;
  readonly #locate: (at: number) => string;
  readonly #labels = new Map<string, { at: number; phis: Phi[] }>();
  readonly #links: Link[] = [];
  /** The block in which each register is set and read, or null where there are several. */
  readonly #users = new Map<number, string | null>();
  #block = "";

  constructor(builder: CircuitBuilder, locate: (at: number) => string) {
    this.#builder = builder;
    this.#locate = locate;
  }

  /** Begins a block. */
  begin(name: string): void {
    this.#labels.set(name, { at: this.#builder.here(), phis: [] });
    this.#block = name;
  }

  /** Keeps that a register is set or read in the block. */
  use(slot: number): void {
    const user = this.#users.get(slot);
    this.#users.set(slot, user === undefined || user === this.#block ? this.#block : null);
  }

  /** Adds a phi node to the block: a register that takes what the block before gives it. */
  phi(slot: number, from: ReadonlyMap<string, Operand>): void {
    this.#labels.get(this.#block)?.phis.push({ slot, from });
  }

  /** Jumps to a block where a condition holds, and goes on where it does not. */
  either(condition: Compute<boolean>, label: QirToken): void {
    const skip = this.#builder.instruction({ kind: "unless", condition, target: 0 });
    this.jumpTo(label);
    skip.target = this.#builder.here();
  }

  /** Jumps to a block, whose phi nodes are set before. */
  jumpTo(label: QirToken): void {
    const moves: Link["moves"] = [];
    this.#builder.instruction({
      kind: "scatter",
      slots: () => moves.map(({ slot }) => slot),
      values: memory => moves.map(({ run }) => run(memory)),
    });
    const jump = this.#builder.instruction({ kind: "jump", target: 0, at: this.#locate(label.at) });
    this.#links.push({ jump, moves, name: label.text.slice(1), from: this.#block, at: label.at });
  }

  /** Leads the jumps to their blocks, once all are known, and says which registers are in use in one alone. */
  link(): void {
    const blocks = [...this.#labels];
    const ends = new Map(blocks.map(([name], i) => [name, blocks[i + 1]?.[1].at ?? this.#builder.here()]));
    const first = blocks[0]?.[1].at ?? this.#builder.here();
    for (const [slot, user] of this.#users) {
      if (user === null) continue;
      const at = this.#labels.get(user)?.at ?? 0;
      const end = ends.get(user) ?? first;
      this.#builder.lifetimes.push({ slots: [slot, slot + 1], bits: [0, 0], instructions: [at, end] });
    }
    for (const { jump, moves, name, from, at } of this.#links) {
      const label = this.#labels.get(name);
      if (!label) throw new Fault(at, `There is no block ${name.slice(0, 60)}.`, { isFatal: true });
      jump.target = label.at;
      for (const phi of label.phis) {
        const value = phi.from.get(from);
        if (value) moves.push({ slot: phi.slot, run: value.run });
      }
    }
  }
}
