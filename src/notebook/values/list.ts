import type { OddRecord } from "../../client/rows.ts";
import type { Displayable, jupyterDisplay } from "../../display/bundle.ts";
import { formatNumber } from "../../display/index.ts";
import { rowsToCsv } from "../../results/index.ts";
import { rowsToArrow } from "./arrow.ts";
import { type Face, type Shown, waysToShow } from "./shown.ts";

function recordOf(row: unknown): object {
  const { toJSON } = Object(row) as { toJSON?: () => unknown };
  return Object(toJSON ? toJSON.call(row) : row);
}

/** Where a list is from. */
export interface ListOrigin {
  /** Rows that the service has; null where that is not known. */
  total: number | null;
  /** Records that could not be read. */
  unread: readonly OddRecord[];
}

/** Rows in the order of the service: an array that shows itself as a table. */
export abstract class ShownList<Row> extends Array<Row> implements Displayable {
  #origin: ListOrigin = { total: null, unread: [] };

  declare [jupyterDisplay]: Shown[typeof jupyterDisplay];

  /** Shows the table now, wherever in a cell or script. */
  declare show: Shown["show"];

  static {
    Object.defineProperties(ShownList.prototype, waysToShow);
  }

  /** @internal What the usual methods of arrays make from this list is a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Rows that there are at the service, of which these may be the first; null where that is not known. */
  get total(): number | null {
    return this.#origin.total;
  }

  /** Records of the service's list that could not be read, and so have no row. */
  get unread(): readonly OddRecord[] {
    return this.#origin.unread;
  }

  /** @internal */
  set origin(origin: ListOrigin) {
    this.#origin = origin;
  }

  /** The rows as plain records, with every member that the service gave them. */
  toRows(): object[] {
    return Array.from(this, recordOf);
  }

  /**
   * The rows as a CSV table (RFC 4180): a column a member, nested ones as `outer.inner`; what a spreadsheet would take
   * for a formula gets an apostrophe.
   */
  toCSV(): string {
    return rowsToCsv(this.toRows());
  }

  /**
   * The rows as the bytes of an Arrow IPC file, for DuckDB, Arquero, pandas or Polars. Needs the package
   * `apache-arrow`.
   */
  toArrow(): Promise<Uint8Array> {
    return rowsToArrow(this.toRows());
  }

  /** What the list holds, in one line: `50 of 1,177 jobs`. */
  override toString(): string {
    const { length, total } = this;
    const of = total !== null && total > length ? ` of ${formatNumber(total)}` : "";
    return `${formatNumber(length)}${of} ${this.noun()}`;
  }

  /** @internal What a table says below its rows: how many there are in all, and what could not be read. */
  protected get remarks(): { total?: number; unread: readonly OddRecord[] } {
    const { total, unread } = this.#origin;
    return { unread, ...(total !== null && { total }) };
  }

  /** @internal The word for the rows, such as `jobs`. */
  protected abstract noun(): string;

  /** @internal */
  protected abstract face(): Face;
}
