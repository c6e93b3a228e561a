import type { Statement, StatementList } from "./statement.ts";
import { type Leaf, matches, type Template, templateOf } from "./statement-template.ts";
import { TemplateReader } from "./template-reader.ts";

/** The number of templates that a statement is compared with, those that were used last. */
const MAX_RECENT = 16;
const WORD_BITS = 32;
/** Stands for a number that is no whole number of 32 bits, whose two words follow. */
const LONG = -(2 ** 31);

/** The number of statements of a block, which is read by itself. */
const BLOCK_LENGTH = 16;

/** Statements of one shape, and the leaves of the one that was written, or read, last. */
interface Shape {
  readonly template: Template;
  leaves: Leaf[];
  /** The block that this was in. */
  block: number;
}

/**
 * Statements of few shapes, as written-out programs have them: each shape is kept once, and of each statement that in
 * which it differs from the one of its shape before it in the same block. They are made anew each time that they are read, but for what they share with the one before.
 */
export class CompactStatements implements StatementList {
  readonly #shared: WeakSet<object>;
  readonly #shapes: Shape[] = [];
  /** Places of shapes, the one that was used last first. */
  readonly #recent: number[] = [];
  /** For each statement the place of its shape, a bit for each leaf that has changed, and these where they are numbers. */
  readonly #words = new WordList();
  /** The strings and objects among the leaves that have changed. */
  readonly #objects: (string | object)[] = [];
  /** Where the words and the objects of each block begin. */
  readonly #blocks: { readonly word: number; readonly object: number }[] = [];
  #scratch: Leaf[] = [];
  #length = 0;

  /** Makes an empty list; objects of `shared` stay one object in all statements that have them. */
  constructor(shared: WeakSet<object>) {
    this.#shared = shared;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds statements. */
  add(statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (this.#length++ % BLOCK_LENGTH === 0)
        this.#blocks.push({ word: this.#words.length, object: this.#objects.length });
      this.#write(this.#placeOf(statement));
    }
  }

  *[Symbol.iterator](): IterableIterator<Statement> {
    for (let block = 0; block < this.numBlocks; block++) yield* this.block(block);
  }

  /** The number of blocks, each of which is read by itself. */
  get numBlocks(): number {
    return this.#blocks.length;
  }

  /** Returns the statements of a block. */
  block(index: number): Statement[] {
    const readers = new Map<number, TemplateReader>();
    let { word, object } = this.#blocks[index]!;
    const next = () => this.#words.at(word++);
    const statements: Statement[] = [];
    const count = Math.min(BLOCK_LENGTH, this.#length - index * BLOCK_LENGTH);
    for (let i = 0; i < count; i++) {
      const place = next();
      const { template, leaves: last } = this.#shapes[place]!;
      const reader = readers.get(place) ?? new TemplateReader(template, last.length);
      readers.set(place, reader);
      const changed: number[] = [];
      for (let first = 0; first < last.length; first += WORD_BITS)
        for (let bits = next(); bits !== 0; bits &= bits - 1)
          changed.push(first + 31 - Math.clz32(bits & -bits));
      for (const leaf of changed) {
        const isNumber = typeof last[leaf] === "number";
        const value = isNumber ? next() : this.#objects[object++]!;
        reader.leaves[leaf] = value === LONG ? joined(next(), next()) : value;
      }
      statements.push(reader.read(changed));
    }
    return statements;
  }

  some(test: (statement: Statement) => boolean): boolean {
    for (const statement of this) if (test(statement)) return true;
    return false;
  }

  every(test: (statement: Statement) => boolean): boolean {
    return !this.some(statement => !test(statement));
  }

  flatMap<T>(visit: (statement: Statement) => T | readonly T[]): T[] {
    const all: T[] = [];
    for (const statement of this) {
      const visited = visit(statement);
      if (Array.isArray(visited)) for (const one of visited) all.push(one);
      else all.push(visited as T);
    }
    return all;
  }

  /** Returns the place of the shape of a statement, whose leaves are in the scratch then. */
  #placeOf(statement: Statement): number {
    const recent = this.#recent;
    for (let i = 0; i < recent.length; i++) {
      const place = recent[i]!;
      this.#scratch.length = 0;
      if (!matches(this.#shapes[place]!.template, statement, this.#scratch, this.#shared)) continue;
      recent.copyWithin(1, 0, i);
      recent[0] = place;
      return place;
    }
    this.#scratch.length = 0;
    const template = templateOf(statement, this.#scratch, this.#shared);
    recent.unshift(this.#shapes.push({ template, leaves: [], block: -1 }) - 1);
    recent.length = Math.min(recent.length, MAX_RECENT);
    return recent[0]!;
  }

  #write(place: number): void {
    const shape = this.#shapes[place]!;
    const block = this.#blocks.length;
    const leaves = this.#scratch;
    const before = shape.block === block ? shape.leaves : [];
    this.#words.push(place);
    for (let first = 0; first < leaves.length; first += WORD_BITS) {
      let changes = 0;
      for (let leaf = first; leaf < Math.min(leaves.length, first + WORD_BITS); leaf++)
        if (!Object.is(leaves[leaf], before[leaf])) changes |= 1 << (leaf - first);
      this.#words.push(changes);
    }
    for (let i = 0; i < leaves.length; i++) {
      const leaf = leaves[i]!;
      if (Object.is(leaf, before[i])) continue;
      if (typeof leaf !== "number") this.#objects.push(leaf);
      else if ((leaf | 0) === leaf && leaf !== LONG && !Object.is(leaf, -0)) this.#words.push(leaf);
      else for (const word of [LONG, ...wordsOf(leaf)]) this.#words.push(word);
    }
    this.#scratch = shape.leaves;
    shape.leaves = leaves;
    shape.block = block;
  }
}

const NUMBER = new Float64Array(1);
const WORDS = new Int32Array(NUMBER.buffer);

/** Returns the two words of a number. */
function wordsOf(number: number): Int32Array {
  NUMBER[0] = number;
  return WORDS;
}

function joined(first: number, second: number): number {
  WORDS[0] = first;
  WORDS[1] = second;
  return NUMBER[0]!;
}

const BLOCK_BITS = 14;

/** Words in blocks, so that none is copied as the list grows. */
class WordList {
  readonly #blocks: Int32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(word: number): void {
    const place = this.#length++ & (2 ** BLOCK_BITS - 1);
    if (place === 0) this.#blocks.push(new Int32Array(2 ** BLOCK_BITS));
    this.#blocks[this.#blocks.length - 1]![place] = word;
  }

  at(index: number): number {
    return this.#blocks[index >> BLOCK_BITS]![index & (2 ** BLOCK_BITS - 1)]!;
  }
}
