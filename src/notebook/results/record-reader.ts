import { KetbookError } from "../../client/index.ts";
import { describeValue } from "../../contract/index.ts";

export interface Members {
  readonly [member: string]: unknown;
}

/** A kind of item that a list may hold, and how an error names it. */
export interface Kind<T> {
  wanted: string;
  is: (item: unknown) => item is T;
}

/** Is called with what is wrong in a record: it throws, or remembers it; the member then counts as missing. */
type OnProblem = (error: KetbookError) => void;

/** Reads members of a record that no schema describes. Absent and null are the same. */
export interface MemberReader {
  object(value: unknown, path: string): Members;
  text<T>(value: unknown, path: string, missing: T): string | T;
  /** A copy of a list of at most `max` items, or null. */
  list<T>(value: unknown, path: string, max: number, kind: Kind<T>): T[] | null;
  refuse(path: string, wanted: string, value: unknown): void;
  onProblem: OnProblem;
}

export function memberReader(onProblem: OnProblem): MemberReader {
  const refuse = (path: string, wanted: string, value: unknown) =>
    onProblem(new KetbookError(`${path} must be ${wanted}, not ${describeValue(value)}.`));
  return {
    onProblem,
    refuse,
    object(value, path) {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
      if (value !== undefined && value !== null) refuse(path, "an object", value);
      return {};
    },
    text(value, path, missing) {
      if (typeof value === "string") return value;
      if (value !== undefined && value !== null) refuse(path, "a string", value);
      return missing;
    },
    list(value, path, max, { wanted, is }) {
      if (value === undefined || value === null) return null;
      if (!Array.isArray(value)) {
        refuse(path, "a list", value);
        return null;
      }
      if (value.length > max) {
        onProblem(new KetbookError(`${path} has more than ${max} items.`));
        return null;
      }
      const bad = value.findIndex(item => !is(item));
      if (bad < 0) return value.slice();
      refuse(`${path}[${bad}]`, wanted, value[bad]);
      return null;
    },
  };
}
