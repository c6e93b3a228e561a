import { inspect } from "#host";
import { type DisplayableView, displayableView } from "../../charts/index.ts";
import { KetbookError } from "../../client/index.ts";
import {
  type Displayable,
  displayable,
  displayMetadata,
  isDisplayable,
  jupyterDisplay,
  type MimeBundle,
  plainForm,
  type RenderedView,
} from "../../display/index.ts";
import { plainText, show } from "../../kernels/index.ts";

export type Rendering = RenderedView | Displayable;

function displayableOf(face: Rendering): Displayable {
  return isDisplayable(face) ? face : displayable(face);
}

type Saveable = Pick<DisplayableView, "toHTML" | "toSVG" | "save">;

const isSaveable = (face: unknown): face is Saveable =>
  typeof Object(face).toSVG === "function" && typeof Object(face).save === "function";

/** Returns the file formats of a value's rendering, including its data for plain data and tables. */
function saveable(value: object, face: Rendering): Saveable {
  if (isSaveable(face)) return face;
  const form = "html" in face ? face : { html: "", text: plainText(face) };
  const { toCSV, toJSON } = value as { toCSV?: () => string; toJSON?: () => unknown };
  return displayableView(form, {
    ...(toCSV && { toCSV: () => toCSV.call(value) }),
    ...(toJSON && { toJSON: () => toJSON.call(value) }),
  });
}

/** Faces of values that have just made their bundles, for the metadata: a chart is drawn once for both. */
const faces = new WeakMap<object, Displayable>();

/** A value that shows itself: richly in a notebook, as text elsewhere. */
export abstract class DisplayableValue implements Displayable {
  /** @internal */
  protected abstract render(): Rendering;

  [jupyterDisplay](): MimeBundle {
    const face = displayableOf(this.render());
    faces.set(this, face);
    return face[jupyterDisplay]();
  }

  /** @internal */
  [displayMetadata](): MimeBundle {
    const face = faces.get(this) ?? displayableOf(this.render());
    faces.delete(this);
    return face[displayMetadata]?.() ?? {};
  }

  /** @internal Text of a table, or of a chart without its picture. */
  [plainForm](): string | undefined {
    const face = this.render();
    return "text" in face ? face.text : (face as Displayable)[plainForm]?.();
  }

  /** Shows this value now, wherever in a cell or script. */
  show(): void {
    show(this);
  }

  /** This as a page that needs no network. */
  toHTML(): string {
    return saveable(this, this.render()).toHTML();
  }

  /** This as an SVG picture: a chart or circuit as it is drawn, a table or card as the lines of its text form. */
  toSVG(): string {
    return saveable(this, this.render()).toSVG();
  }

  /**
   * Writes this to a file in the form that its name ends in, such as `.svg`, `.pdf`, `.png`, `.html`, `.txt` or `.json`,
   * and of rows `.csv`. Fonts are embedded.
   *
   * @throws KetbookError for another ending, with those that there are, or a path that cannot be written.
   */
  save(path: string): void {
    saveable(this, this.render()).save(path);
  }

  /** Description in one line. */
  toString(): string {
    return plainText(this).trimStart().split("\n", 1)[0]!.trimEnd();
  }

  /** @internal */
  [inspect.custom](): string {
    return plainText(this);
  }
}

const {
  constructor: _,
  toString: __,
  ...ways
} = Object.getOwnPropertyDescriptors(DisplayableValue.prototype);

/** The methods of `DisplayableValue`, for a class that has a face and can't extend it. */
export const displayMethods: PropertyDescriptorMap = ways;

/** Assigns the members of a service's record to an object, except those that would hide what the object itself can do. */
export function assignRecord(object: object, record: object): void {
  for (const [name, value] of Object.entries(record))
    if (!(name in object)) Object.assign(object, { [name]: value });
}

/** Copies data that somebody else holds. Throws a `KetbookError` for anything but data, such as a function. */
export function copyData<T>(name: string, value: T): T {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw new KetbookError(`${name} must be plain JSON data: ${(cause as Error).message}`, { cause });
  }
}

/** Sets what a plain record is as a string; its members, and their order, stay as they are. */
export function withText<R extends object>(record: R, text: string): R {
  const say = { value: () => text, configurable: true };
  Object.defineProperty(record, Symbol.toPrimitive, say);
  return Object.hasOwn(record, "toString") ? record : Object.defineProperty(record, "toString", say);
}

export function recordClass<R extends object>(form: (record: R) => RenderedView) {
  class DisplayableRecord extends DisplayableValue {
    readonly #record: R;

    constructor(record: R) {
      super();
      this.#record = record;
      assignRecord(this, record);
    }

    /** The record, with every member that the service gave it. */
    toJSON(): R {
      return this.#record;
    }

    /** @internal */
    protected override render(): RenderedView {
      return form(this.#record);
    }
  }
  return (record: R) =>
    new DisplayableRecord(record) as DisplayableValue as R & DisplayableValue & { toJSON(): R };
}
