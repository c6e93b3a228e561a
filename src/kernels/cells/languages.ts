import type { Failure } from "../errors/failure.ts";
import type { CompletionItem } from "./types.ts";

/** A language of cells besides TypeScript and JavaScript. */
export interface CellLanguage {
  /** The tag of templates that hold programs in it. */
  tag: string;
  /** Whether a cell is a program in it. */
  claims(code: string): boolean;
  /** Returns the cell of TypeScript or JavaScript that a program stands for, or what is wrong with the program. */
  cellOf(code: string, javascript: boolean): Promise<{ source: string } | { failure: Failure }>;
  /** Returns the names that can be written at an offset of a program, in place of the text from `start` on. */
  complete(code: string, offset: number): Promise<{ start: number; items: readonly CompletionItem[] }>;
  /** Describes the name at an offset of a program, as Markdown. */
  describe(code: string, offset: number): Promise<string | undefined>;
}

const languages: CellLanguage[] = [];

export function registerLanguages(added: readonly CellLanguage[]): void {
  languages.push(...added);
}

/** The language that a cell is a program in; undefined for TypeScript and JavaScript. */
export const languageOf = (code: string): CellLanguage | undefined =>
  languages.find(language => language.claims(code));

/** The language of the templates with a tag. */
export const languageOfTag = (tag: string | undefined): CellLanguage | undefined =>
  languages.find(language => language.tag === tag);
