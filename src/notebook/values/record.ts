import { KetbookError } from "../../client/errors.ts";
import type { RenderedView } from "../../display/index.ts";
import { DisplayableValue } from "./displayable-value.ts";

/** Assigns the members of a service's record to an object, except those that would hide what the object itself can do. */
export function assignRecord(object: object, record: object): void {
  for (const [name, value] of Object.entries(record))
    if (!(name in object)) Object.assign(object, { [name]: value });
}

/** Copies data that somebody else holds. Throws a `KetbookError` for what is no data, such as a function. */
export function copyData<T>(name: string, value: T): T {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw new KetbookError(`${name} must be plain JSON data: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Sets what a plain record is as a string; its members, and their order, stay as they are. */
export function withText<R extends object>(record: R, text: string): R {
  const say = { value: () => text, configurable: true };
  Object.defineProperty(record, Symbol.toPrimitive, say);
  return Object.hasOwn(record, "toString") ? record : Object.defineProperty(record, "toString", say);
}

/** Makes a class of records: objects with the fields of a record of the service, which show themselves. */
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
