import type { UnreadRecord } from "../../client/index.ts";
import { type Displayable, formatCount, formatNumber, type jupyterDisplay } from "../../display/index.ts";
import { rowsToCsv } from "../../results/index.ts";
import { rowsToArrow } from "./arrow.ts";
import { type DisplayableValue, displayMethods, type Rendering } from "./displayable-value.ts";

function recordOf(row: unknown): object {
  const { toJSON } = Object(row) as { toJSON?: unknown };
  return Object(typeof toJSON === "function" ? toJSON.call(row) : row);
}

export interface ListOrigin {
  total: number | null;
  unread: readonly UnreadRecord[];
  /** Figures of the whole list, which its parts keep. */
  about: unknown;
}

/** Rows in the order of the service: an array that shows itself as a table. */
export abstract class DisplayableList<
    Row,
    RowRecord = Row extends { toJSON(): infer Plain extends object } ? Plain : Row,
  >
  extends Array<Row>
  implements Displayable
{
  /** @internal The word for the rows, such as `jobs`. */
  static readonly noun: string = "rows";

  #origin: ListOrigin = { total: null, unread: [], about: undefined };

  declare [jupyterDisplay]: DisplayableValue[typeof jupyterDisplay];

  /** Shows the table now, wherever in a cell or script. */
  declare show: DisplayableValue["show"];

  /** The table as a page that needs no network. */
  declare toHTML: DisplayableValue["toHTML"];

  /** The table as an SVG picture: the lines of its text form. */
  declare toSVG: DisplayableValue["toSVG"];

  /** Writes the rows or their table to a file: `.csv`, `.json`, `.html`, `.txt`, `.svg`, `.pdf` or `.png`. */
  save(path: string): void {
    displayMethods.save!.value.call(this, path);
  }

  static {
    const { save: _, ...ways } = displayMethods;
    Object.defineProperties(DisplayableList.prototype, ways);
  }

  /** @internal What `map` and its like make from this list is a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Rows at the service, of which these may be the first; null if unknown. */
  get total(): number | null {
    return this.#origin.total;
  }

  /** Records of the service's list that could not be read, and so have no row. */
  get unread(): readonly UnreadRecord[] {
    return this.#origin.unread;
  }

  /** @internal Makes a list of rows. */
  static ofRows<List extends DisplayableList<unknown>>(
    this: new () => List,
    rows: Iterable<List[number]>,
    { total = null, unread = [], about }: Partial<ListOrigin> = {},
  ): List {
    const list = new this();
    for (const row of rows) list.push(row);
    list.#origin = { total, unread, about };
    return list;
  }

  /** @internal Figures of the whole list, which its parts keep. */
  protected get about(): unknown {
    return this.#origin.about;
  }

  /** @internal A list of the same kind, with some of the rows or in another order. */
  protected listOf(rows: readonly Row[]): this {
    const total = rows.length === this.length ? this.total : null;
    const kind = this.constructor as (new () => this) & Pick<typeof DisplayableList, "ofRows">;
    return kind.ofRows(rows, { ...this.#origin, total });
  }

  /** The rows that pass a test, as a list of the same kind. */
  override filter<Kept extends Row>(
    test: (row: Row, index: number, rows: Row[]) => row is Kept,
    thisArg?: unknown,
  ): Kept[] & this;
  override filter(test: (row: Row, index: number, rows: Row[]) => unknown, thisArg?: unknown): this;
  override filter(test: (row: Row, index: number, rows: Row[]) => unknown, thisArg?: unknown): this {
    return this.listOf(super.filter(test, thisArg));
  }

  /** The rows from one place to before another one, as a list of the same kind. */
  override slice(start?: number, end?: number): this {
    return this.listOf(super.slice(start, end));
  }

  /** The rows in another order, as a list of the same kind. */
  override toSorted(compare?: (a: Row, b: Row) => number): this {
    return this.listOf(super.toSorted(compare));
  }

  /** The rows from the last to the first, as a list of the same kind. */
  override toReversed(): this {
    return this.listOf(super.toReversed());
  }

  /** The rows as plain records, with every member that the service gave them. */
  toRows(): RowRecord[] {
    return Array.from(this, recordOf) as RowRecord[];
  }

  /**
   * The rows as a CSV table (RFC 4180): a column a member, nested ones as `outer.inner`; what a spreadsheet would take
   * for a formula gets an apostrophe.
   */
  toCSV(): string {
    return rowsToCsv(this.toRows() as object[]);
  }

  /** The rows as the bytes of an Arrow IPC file, for DuckDB, Arquero, pandas or Polars. Needs the package `apache-arrow`. */
  toArrow(): Promise<Uint8Array> {
    return rowsToArrow(this.toRows() as object[]);
  }

  /** Contents in one line: `50 of 1,177 jobs`. */
  override toString(): string {
    const { length, total } = this;
    const { noun } = this.constructor as typeof DisplayableList;
    if (total === null || total <= length) return formatCount(length, noun);
    return `${formatNumber(length)} of ${formatCount(total, noun)}`;
  }

  /** @internal What a table says below its rows: how many there are in all, and what could not be read. */
  protected get remarks(): { total?: number; unread: readonly UnreadRecord[] } {
    const { total, unread } = this.#origin;
    return { unread, ...(total !== null && { total }) };
  }

  /** @internal */
  protected abstract render(): Rendering;
}
