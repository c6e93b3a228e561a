export { formatWithOptions, inspect, stripVTControlCharacters } from "node-inspect-extracted";

/** Whether a value is a promise of the language itself. */
export const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** Whether a value is an error of the language itself. */
export const isNativeError = (value: unknown): value is Error => value instanceof Error;
