import type { Reader } from "../contract/reader.ts";
import { ShapeError } from "../contract/shape-error.ts";

/** A record of a list that could not be read: it is no object, or lacks its identifier. */
export interface UnreadRecord {
  /** Its place in the page, from 0. */
  index: number;
  /** Description of the problem, such as `jobQrn should be a string, and is missing`. */
  problem: string;
  /** The record as the service sent it. */
  value: unknown;
}

/** Records of a list, and those that could not be read. */
export interface Rows<T> {
  /** Those that were read, in the order of the service. */
  rows: T[];
  /** Those that could not be read. */
  unread: UnreadRecord[];
}

/** Makes the reader of a list, in which one record that cannot be read does not keep the others from being read. */
export function rowsReader<T>(readRow: Reader<T>): Reader<Rows<T>> {
  return list => {
    if (!Array.isArray(list)) throw new ShapeError("a list", list);
    const rows: T[] = [];
    const unread: UnreadRecord[] = [];
    for (const [index, value] of list.entries()) {
      try {
        rows.push(readRow(value));
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        unread.push({ index, problem: error.message, value });
      }
    }
    return { rows, unread };
  };
}
