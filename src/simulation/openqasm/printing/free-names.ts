import { NATIVE } from "../../circuit/native.ts";
import { QELIB1, STDGATES } from "../../circuit/standard.ts";
import { CONSTANTS, REAL_FUNCTIONS, WORD_FUNCTIONS } from "../../circuit/values/functions.ts";
import { KEYWORDS_3 } from "../syntax/keywords.ts";

/** Finds names for what a program declares: no words of the language, nor those of its gates, and each of them once. */
export class FreeNames {
  readonly #taken = new Set<string>([
    ...KEYWORDS_3,
    ...[...STDGATES, ...QELIB1, ...NATIVE].map(({ name }) => name),
    ...CONSTANTS.keys(),
    ...REAL_FUNCTIONS.keys(),
    ...WORD_FUNCTIONS,
    ...["U", "gphase", "real", "imag"],
  ]);

  /** Number of uses of each name. */
  readonly #repeats = new Map<string, number>();

  /** Returns a name, with a line under it, or that and a number, where it is taken already. */
  take(name: string): string {
    const own = name.replace(/[^\p{L}\p{Nd}_]/gu, "_").replace(/^\p{Nd}/u, "_$&");
    let free = own;
    while (this.#taken.has(free)) {
      const repeat = (this.#repeats.get(own) ?? 0) + 1;
      this.#repeats.set(own, repeat);
      free = repeat === 1 ? `${own}_` : `${own}_${repeat}`;
    }
    this.#taken.add(free);
    return free;
  }
}
