import { type Leaf, matches, type Shaping, shapeHash, type Template, templateOf } from "./template.ts";
import { TemplateReader } from "./template-reader.ts";

/** The number of templates that an item is compared with first, those that were used last. */
const MAX_RECENT = 4;
/** How many items of one shape are kept as they are before it gets a template, which is larger than an item. */
const MAX_WHOLE = 3;
/** The place of the shape of items that are kept as they are. */
const WHOLE = 0;
const WORD_BITS = 32;
/** Stands for a number that is no whole number of 32 bits, whose two words follow. */
const LONG = -(2 ** 31);

/** The number of items of a block, which is read by itself. */
const BLOCK_LENGTH = 16;

/** Plain data one after the other: an array, or what reads as one. */
export interface List<T> extends Iterable<T> {
  readonly length: number;
  some(test: (item: T) => boolean): boolean;
  every(test: (item: T) => boolean): boolean;
  flatMap<U>(visit: (item: T) => U | readonly U[]): U[];
}

/** Items of one shape, and the leaves of the one that was written, or read, last. */
interface Shape {
  readonly template: Template;
  leaves: Leaf[];
  /** The block that this was in. */
  block: number;
}

/**
 * Plain data of few shapes, as the statements of written-out programs are: each shape is kept once, and of each item that
 * in which it differs from the one of its shape before it in the same block. Items are made anew each time that they are
 * read, but for what they share with the one before.
 */
export class CompactList<T extends object> implements List<T> {
  readonly #shaping: Shaping;
  readonly #shapes: Shape[] = [{ template: { kind: "shared" }, leaves: [], block: -1 }];
  /** How many items of a shape without a template there were, and the places of shapes with one, by their hashes. */
  readonly #whole = new Map<number, number>();
  readonly #known = new Map<number, number>();
  /** Places of shapes, the one that was used last first. */
  readonly #recent: number[] = [];
  /** For each item the place of its shape, a bit for each leaf that has changed, and these where they are numbers. */
  readonly #words = new WordList();
  /** The strings and objects among the leaves that have changed. */
  readonly #objects: (string | object)[] = [];
  /** Where the words and the objects of each block begin. */
  readonly #blocks: { readonly word: number; readonly object: number }[] = [];
  #scratch: Leaf[] = [];
  #length = 0;

  /** Makes an empty list. */
  constructor(shaping: Shaping) {
    this.#shaping = shaping;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds items. */
  add(items: readonly T[]): void {
    for (const item of items) {
      if (this.#length++ % BLOCK_LENGTH === 0)
        this.#blocks.push({ word: this.#words.length, object: this.#objects.length });
      this.#write(this.#placeOf(item));
    }
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let block = 0; block < this.numBlocks; block++) yield* this.block(block);
  }

  /** The number of blocks, each of which is read by itself. */
  get numBlocks(): number {
    return this.#blocks.length;
  }

  /** Returns the items of a block. */
  block(index: number): T[] {
    const readers = new Map<number, TemplateReader>();
    let { word, object } = this.#blocks[index]!;
    const next = () => this.#words.at(word++);
    const items: T[] = [];
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
      items.push(reader.read(changed) as T);
    }
    return items;
  }

  some(test: (item: T) => boolean): boolean {
    for (const item of this) if (test(item)) return true;
    return false;
  }

  every(test: (item: T) => boolean): boolean {
    return !this.some(item => !test(item));
  }

  flatMap<U>(visit: (item: T) => U | readonly U[]): U[] {
    const all: U[] = [];
    for (const item of this) {
      const visited = visit(item);
      if (Array.isArray(visited)) for (const one of visited) all.push(one);
      else all.push(visited as U);
    }
    return all;
  }

  /** Returns the place of the shape of an item, whose leaves are in the scratch then. */
  #placeOf(item: T): number {
    const recent = this.#recent;
    for (let i = 0; i < recent.length; i++) {
      const place = recent[i]!;
      if (!this.#matches(place, item)) continue;
      recent.copyWithin(1, 0, i);
      recent[0] = place;
      return place;
    }
    const hash = shapeHash(item, this.#shaping);
    const known = this.#known.get(hash);
    if (known !== undefined && this.#matches(known, item)) return this.#use(known);
    this.#scratch.length = 0;
    const count = this.#whole.get(hash) ?? 0;
    if (known !== undefined || count < MAX_WHOLE) {
      this.#whole.set(hash, count + 1);
      this.#scratch.push(item);
      return WHOLE;
    }
    const template = templateOf(item, this.#scratch, this.#shaping);
    const place = this.#shapes.push({ template, leaves: [], block: -1 }) - 1;
    this.#known.set(hash, place);
    return this.#use(place);
  }

  #matches(place: number, item: T): boolean {
    this.#scratch.length = 0;
    return matches(this.#shapes[place]!.template, item, this.#scratch, this.#shaping);
  }

  #use(place: number): number {
    this.#recent.unshift(place);
    this.#recent.length = Math.min(this.#recent.length, MAX_RECENT);
    return place;
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

/** The number of items from which on they are kept compactly. */
export const COMPACT_LENGTH = 256;

/** A list that is kept compactly once it is long. */
export class GrowingList<T extends object> {
  readonly #shaping: Shaping;
  #compact: CompactList<T> | null = null;
  #last: T[] = [];

  constructor(shaping: Shaping) {
    this.#shaping = shaping;
  }

  /** Adds an item. */
  push(item: T): void {
    if (this.#last.push(item) < COMPACT_LENGTH) return;
    this.#compact ??= new CompactList(this.#shaping);
    this.#compact.add(this.#last.splice(0));
  }

  /** Returns all items; nothing is added after that. */
  finish(): List<T> {
    if (!this.#compact) return this.#last.slice();
    this.#compact.add(this.#last);
    return this.#compact;
  }
}
