/** Checks a value. If it is invalid, returns a description of valid ones, such as `a whole number, 1 or more`. */
export type OptionCheck = (value: unknown) => string | undefined;

/** An option of another kind: what it must be in words, and whether a value is that. */
export const must =
  (wanted: string, is: (value: unknown) => boolean): OptionCheck =>
  value =>
    is(value) ? undefined : wanted;

/** An option that is looked at where it is used. */
export const anyValue: OptionCheck = () => undefined;

export const flag = must("true or false", value => typeof value === "boolean");

export const stringValue = must("a string", value => typeof value === "string");

export const stringList = must(
  "a list of strings",
  value => Array.isArray(value) && value.every(each => typeof each === "string"),
);

export const finiteNumber = must("a number", Number.isFinite);

export const wholeNumber = (min: number): OptionCheck =>
  must(`a whole number, ${min} or more`, value => Number.isSafeInteger(value) && Number(value) >= min);

export const oneOf = (...words: readonly string[]): OptionCheck =>
  must(words.map(word => JSON.stringify(word)).join(" or "), value => words.includes(value as string));

export const list = must("a list", Array.isArray);

export const aFunction = must("a function", value => typeof value === "function");

export const abortSignal = must("an AbortSignal", value => value instanceof AbortSignal);

const maxNameLength = 64;

/**
 * Refuses options that do not exist, and values that can't be, by name; the nearest name that exists is suggested. An
 * option that is `undefined` is not given. Throws a `RangeError`.
 *
 * @param checks - Every option there is, with what its value must be.
 */
export function checkOptions<Options extends object>(
  options: Options | undefined,
  checks: Readonly<Record<keyof Options & string, OptionCheck>>,
): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new RangeError(`Options must be an object such as { ${Object.keys(checks)[0]}: … }.`);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) throw new RangeError(unknownOption(name, Object.keys(checks)));
    const wanted = value === undefined ? undefined : checks[name as keyof Options & string](value);
    if (wanted !== undefined) throw new RangeError(`${name} must be ${wanted}, not ${describeValue(value)}.`);
  }
}

/** Returns the message that there is no such option, with the name that may have been meant. */
function unknownOption(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const advice = nearest ? `Did you mean ${JSON.stringify(nearest)}?` : `Options: ${names.join(", ")}.`;
  return `Unknown option ${describeValue(name)}. ${advice}`;
}

/** A value in a few characters, for an error that refuses it. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, maxNameLength));
  if (typeof value !== "object" || value === null) return String(value).slice(0, maxNameLength);
  if (typeof Object(value).then === "function") return "a promise (is an await missing?)";
  if (!Array.isArray(value)) return "an object";
  return value.length === 0 ? "an empty list" : "a list";
}

/** Advice for an unknown name: the nearest one that there is, or all of them. */
export function adviceFor(name: unknown, names: readonly string[]): string {
  const nearest = typeof name === "string" ? nearestName(name, names) : undefined;
  return nearest ? `did you mean ${JSON.stringify(nearest)}?` : `there are ${names.join(", ")}.`;
}

/** The name that differs least from a mistyped one; `undefined` when none is near. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  if (name.length > maxNameLength) return undefined;
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3) + 1);
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/** Letters to insert, delete, replace, or swap with their neighbour until two words are equal. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      next.push(swapped ? Math.min(least, before[j - 2]! + 1) : least);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
