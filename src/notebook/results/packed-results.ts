import { isRecord } from "../../contract/index.ts";
import type { Members } from "./result-data.ts";

/** Takes out of records what all have alike, such as their job. Their `resultData` stays with each. */
export function packResults(records: readonly Members[]) {
  const isAlike = ([member, value]: [string, unknown]) => {
    const text = JSON.stringify(value);
    return records.every(({ [member]: other }) => other === value || JSON.stringify(other) === text);
  };
  const { resultData: _, ...members } = records[0] ?? {};
  const common = Object.fromEntries(Object.entries(members).filter(isAlike));
  const own = (record: Members) =>
    Object.fromEntries(Object.entries(record).filter(([member]) => !Object.hasOwn(common, member)));
  return { version: 1, common, results: records.map(own) };
}

/** The records of a file, in which equal members are one object; `undefined` for a file of another form. */
export function unpackResults(file: unknown): unknown[] | undefined {
  if (Array.isArray(file)) return file;
  const { common, results } = Object(file) as Partial<ReturnType<typeof packResults>>;
  if (!Array.isArray(results)) return undefined;
  return results.map(record => (isRecord(record) ? { ...common, ...record } : record));
}
