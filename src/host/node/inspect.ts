import { types } from "node:util";

export { formatWithOptions, inspect, stripVTControlCharacters } from "node:util";

/** Whether a value is a promise of the language itself, of whatever realm. */
export const { isPromise } = types;

/** Whether a value is an error of the language itself, of whatever realm. */
export const { isNativeError } = types;

/** Returns how wide the terminal is, in characters; undefined where output is none. */
export const terminalColumns = (): number | undefined => process.stdout.columns;

/** Warns of something, once for each text, where the user sees it. */
export const warn = (text: string): void => process.emitWarning(text, { type: "KetbookWarning" });
