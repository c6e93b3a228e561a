import { isRecord } from "../../contract/index.ts";
import type { Members } from "./result-data.ts";

/** Records of results in which what all have alike, such as their job, stands once. */
interface PackedResults {
  version: 1;
  common: Members;
  results: readonly Members[];
}

const maxDepth = 3;

/** Takes out of records what all have alike. Their `resultData` stays with each. */
export function packResults(records: readonly Members[]): PackedResults {
  const { common, rest } = factor(records, new Set(["resultData"]), 1);
  return { version: 1, common, results: rest };
}

function factor(records: readonly Members[], kept: ReadonlySet<string>, depth: number) {
  const common: { [member: string]: unknown } = {};
  const rest = records.map((record): { [member: string]: unknown } => ({ ...record }));
  for (const [member, first] of Object.entries(records[0] ?? {})) {
    if (kept.has(member) || member === "__proto__") continue;
    if (haveAlike(records, member, first)) {
      common[member] = first;
      for (const record of rest) delete record[member];
      continue;
    }
    const values = records.map(record => record[member]);
    if (depth === maxDepth || !values.every(isRecord)) continue;
    const inner = factor(values, new Set(), depth + 1);
    common[member] = inner.common;
    for (const [index, record] of rest.entries()) record[member] = inner.rest[index];
  }
  return { common, rest };
}

function haveAlike(records: readonly Members[], member: string, first: unknown): boolean {
  let text: string | undefined;
  return records.every(record => {
    const value = record[member];
    if (value === first) return Object.hasOwn(record, member);
    text ??= JSON.stringify(first);
    return value !== undefined && JSON.stringify(value) === text;
  });
}

/** The records of a file, in which equal members are one object; `undefined` for a file of another form. */
export function unpackResults(file: unknown): unknown[] | undefined {
  if (Array.isArray(file)) return file;
  const { common, results } = Object(file) as Partial<PackedResults>;
  if (!Array.isArray(results)) return undefined;
  return isRecord(common) ? results.map(record => merge(common, record, 1)) : results;
}

function merge(common: Members, record: unknown, depth: number): unknown {
  if (!isRecord(record)) return record;
  const whole: { [member: string]: unknown } = { ...common, ...record };
  for (const [member, value] of Object.entries(record)) {
    const shared = Object.hasOwn(common, member) ? common[member] : undefined;
    if (isRecord(shared) && isRecord(value) && depth < maxDepth)
      whole[member] = merge(shared, value, depth + 1);
  }
  return whole;
}
