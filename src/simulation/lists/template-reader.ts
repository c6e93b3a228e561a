import type { Leaf, Template } from "./template.ts";

/** A part of a template, the leaves that it has, and what it was made into last. */
interface Part {
  readonly template: Template;
  readonly parts: readonly Part[];
  readonly first: number;
  readonly end: number;
  last: unknown;
}

/** Makes items of one template, one after the other; what has not changed in between stays one object. */
export class TemplateReader {
  readonly leaves: Leaf[];
  readonly #root: Part;
  /** The places of the leaves that have changed, and how many of them have been read. */
  #changed: readonly number[] = [];
  #numRead = 0;

  constructor(template: Template, numLeaves: number) {
    this.leaves = new Array<Leaf>(numLeaves);
    this.#root = partOf(template, 0);
  }

  /** Returns the next item, with other leaves at the given places, which ascend. */
  read(changed: readonly number[]): unknown {
    this.#changed = changed;
    this.#numRead = 0;
    return this.#value(this.#root);
  }

  #value(part: Part): unknown {
    const isKnown = part.last !== undefined;
    if (isKnown && !(this.#changed[this.#numRead]! < part.end)) return part.last;
    const { template, parts } = part;
    switch (template.kind) {
      case "fixed":
        return template.value;
      case "list": {
        const items = new Array<unknown>(parts.length);
        for (let i = 0; i < items.length; i++) items[i] = this.#value(parts[i]!);
        part.last = items;
        break;
      }
      case "object": {
        const { keys } = template;
        const value: Record<string, unknown> = isKnown ? { ...(part.last as object) } : {};
        for (let i = 0; i < keys.length; i++) {
          const field = parts[i]!;
          if (!isKnown || this.#changed[this.#numRead]! < field.end) value[keys[i]!] = this.#value(field);
        }
        part.last = value;
        break;
      }
      default: {
        this.#numRead++;
        const leaf = this.leaves[part.first]!;
        part.last = template.kind === "bigint" ? BigInt(leaf as number) : leaf;
      }
    }
    return part.last;
  }
}

function partOf(template: Template, first: number): Part {
  let end = first;
  const children =
    template.kind === "list" ? template.items : template.kind === "object" ? template.fields : [];
  const parts = children.map(child => {
    const part = partOf(child, end);
    end = part.end;
    return part;
  });
  if (template.kind !== "fixed" && template.kind !== "list" && template.kind !== "object") end++;
  return { template, parts, first, end, last: undefined };
}
