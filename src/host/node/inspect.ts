import { types } from "node:util";

export { formatWithOptions, inspect, stripVTControlCharacters } from "node:util";

/** Whether a value is a promise of the language itself, of whatever realm. */
export const { isPromise } = types;

/** Whether a value is an error of the language itself, of whatever realm. */
export const { isNativeError } = types;
