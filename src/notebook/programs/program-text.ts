import { KetbookError } from "../../client/index.ts";

/** Refuses places that are not one for each qubit or bit of a program, all of them different. */
export function checkPlaces(
  asked: string,
  what: "qubit" | "bit",
  places: readonly number[],
  count: number,
): void {
  const call = `${asked}(${JSON.stringify(places)})`;
  if (!Array.isArray(places) || places.length !== count)
    throw new KetbookError(`${call}: the program needs a list of ${count} ${what}s.`);
  const wrong = places.find(place => !Number.isInteger(place) || place < 0 || place > MAX_PLACE);
  if (wrong !== undefined) throw new KetbookError(`${call}: ${wrong} is not the number of a ${what}.`);
  if (new Set(places).size < count) throw new KetbookError(`${call}: the ${what}s must be different.`);
}

const MAX_PLACE = 65_535;

/** The text of a program's data: JSON of what is no text. */
export const textOf = (data: string | object) =>
  typeof data === "string" ? data : JSON.stringify(data, null, 2);

/** OpenQASM and LLVM comments that may precede a program's first word. */
const LEAD = String.raw`^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|;[^\n]*\n)*`;
const QASM_2 = new RegExp(`${LEAD}OPENQASM\\s+2\\b`);
const LLVM = new RegExp(`${LEAD}(?:[%@!]|(?:source_filename|target|define|declare|attributes)\\s)`);

/** The format of a text, as its first lines say. */
export function formatOf(text: string): string {
  if (LLVM.test(text) && text.includes("@__quantum__")) return "qir.ll";
  return QASM_2.test(text) ? "qasm2" : "qasm3";
}
