/** A value is not of the shape that its schema describes. */
export class ShapeError extends Error {
  override name = "ShapeError";
  /** Members and places that lead from what was read to the value. */
  readonly path: (string | number)[] = [];
  /** Expected kind of value, such as `a number`. */
  readonly wanted: string;
  readonly value: unknown;

  constructor(wanted: string, value: unknown) {
    super();
    this.wanted = wanted;
    this.value = value;
    this.message = this.#describe();
  }

  /** Puts the member or place that the value was found in before the path, and returns the error. */
  within(key: string | number): this {
    this.path.unshift(key);
    this.message = this.#describe();
    return this;
  }

  #describe(): string {
    const { value } = this;
    const kind = Array.isArray(value) ? "a list" : `a ${typeof value}`;
    const found = value === null || value === undefined ? "missing" : kind;
    return `${this.path.join(".") || "data"} should be ${this.wanted}, and is ${found}`;
  }
}
