import { randomHex, sha256Hex } from "#host";
import { KetbookError } from "../../client/index.ts";
import type { Columns } from "./compare-outputs.ts";

/** Name of a member of `checks`, and its arguments as plain data. */
export type CheckRecipe = readonly [
  name: "unitary" | "state" | "distribution" | "number",
  ...args: unknown[],
];

const NAMES = ["unitary", "state", "distribution", "number"];
const SALT_LENGTH = 8;

export function sealRecipe(recipe: CheckRecipe): string {
  const salt = randomHex(SALT_LENGTH / 2);
  const bytes = masked(new TextEncoder().encode(JSON.stringify(recipe)), salt);
  return salt + btoa(String.fromCharCode(...bytes));
}

/** Decodes a recipe. Throws a `KetbookError` for text that `seal` did not make. */
export function openSeal(text: string): CheckRecipe {
  try {
    const sealed = Uint8Array.from(atob(text.slice(SALT_LENGTH)), character => character.charCodeAt(0));
    const recipe = JSON.parse(new TextDecoder().decode(masked(sealed, text.slice(0, SALT_LENGTH))));
    if (Array.isArray(recipe) && NAMES.includes(recipe[0])) return recipe as unknown as CheckRecipe;
  } catch {
    // The text is not a seal.
  }
  throw new KetbookError("checks.sealed: the text is not complete. Copy everything that seal() returned.");
}

/** Masks bytes, or unmasks them, by the hashes of a salt and a counter. */
function masked(bytes: Uint8Array, salt: string): Uint8Array {
  let stream = "";
  for (let block = 0; stream.length < 2 * bytes.length; block++) stream += sha256Hex(`${salt} ${block}`);
  return bytes.map((byte, i) => byte ^ Number.parseInt(stream.slice(2 * i, 2 * i + 2), 16));
}

/** Returns amplitudes as plain data of eight digits. */
export const plainAmplitudes = (column: ArrayLike<number>): (number | [number, number])[] =>
  Array.from({ length: column.length / 2 }, (_, index) => {
    const [re, im] = [column[2 * index]!, column[2 * index + 1]!].map(part => Number(part.toFixed(8)) + 0);
    return im === 0 ? re! : [re!, im!];
  });

export function plainRows(columns: Columns): (number | [number, number])[][] {
  const plain = columns.map(plainAmplitudes);
  return plain.map((_, row) => plain.map(column => column[row]!));
}
