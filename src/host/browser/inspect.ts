export { formatWithOptions, inspect, stripVTControlCharacters } from "node-inspect-extracted";

/** Whether a value is a promise of the language itself. */
export const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** Whether a value is an error of the language itself. */
export const isNativeError = (value: unknown): value is Error => value instanceof Error;

/** Returns how wide the terminal is; a page has none. */
export const terminalColumns = (): number | undefined => undefined;

/** Warns of something where the user sees it. */
export function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: where cells run, the console is what they write to.
  console.warn(text);
}
