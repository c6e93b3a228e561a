import type { CircuitParts } from "../circuit/circuit.ts";
import type { Statement } from "../circuit/statement.ts";
import type { CompactList } from "../lists/compact-list.ts";
import type { Instruction, InstructionList, Lifetime, LinkedProgram } from "./instruction.ts";
import type { InstructionBuilder } from "./instruction-builder.ts";

/** The number of blocks that stay from one use to the next, those that were made last. */
const MAX_RECENT = 4;

/** The range of the instructions of a block of statements, and these where they have not been let go. */
interface Block {
  readonly start: number;
  readonly end: number;
  instructions: readonly Instruction[] | null;
}

/**
 * A long program that is linked block by block as it runs: statements lead nowhere but to the next one. The
 * instructions of a block are let go soon after they were made, and kept once they have been made again.
 */
export class BlockwiseProgram implements LinkedProgram, InstructionList {
  readonly parts: CircuitParts;
  readonly #body: CompactList<Statement>;
  readonly #link: (statements: readonly Statement[], start: number) => InstructionBuilder;
  readonly #blocks: Block[] = [];
  #place = 0;

  /** Makes a program of statements, which `link` makes into instructions from an index on. */
  constructor(
    parts: CircuitParts,
    body: CompactList<Statement>,
    link: (statements: readonly Statement[], start: number) => InstructionBuilder,
  ) {
    this.parts = parts;
    this.#body = body;
    this.#link = link;
  }

  get instructions(): InstructionList {
    return this;
  }

  get length(): number {
    while (this.#blocks.length < this.#body.numBlocks) this.#append();
    return this.#end;
  }

  get lifetimes(): readonly Lifetime[] {
    if (this.length === 0) return [];
    return this.#blocks.flatMap(({ start }, place) => this.#linked(place, start).lifetimes);
  }

  at(index: number): Instruction | undefined {
    let block = this.#blocks[this.#place];
    if (!block?.instructions || index < block.start || index >= block.end) {
      block = this.#find(index);
      block.instructions ??= this.#linked(this.#place, block.start).instructions;
    }
    return block.instructions[index - block.start];
  }

  get #end(): number {
    return this.#blocks.at(-1)?.end ?? 0;
  }

  /** Makes the block of an instruction the current one. */
  #find(index: number): Block {
    while (index >= this.#end && this.#blocks.length < this.#body.numBlocks) this.#append();
    const blocks = this.#blocks;
    while (index >= blocks[this.#place]!.end && this.#place < blocks.length - 1) this.#place++;
    while (index < blocks[this.#place]!.start) this.#place--;
    return blocks[this.#place]!;
  }

  #append(): void {
    const start = this.#end;
    const { instructions, next } = this.#linked(this.#blocks.length, start);
    const length = this.#blocks.push({ start, end: next, instructions });
    const old = this.#blocks[length - 1 - MAX_RECENT];
    if (old) old.instructions = null;
  }

  #linked(place: number, start: number): InstructionBuilder {
    const builder = this.#link(this.#body.block(place), start);
    if (place === this.#body.numBlocks - 1) builder.add({ kind: "end" });
    return builder;
  }
}
