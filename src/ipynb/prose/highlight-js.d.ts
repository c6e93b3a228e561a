// Used part of highlight.js. Its own types would add browser types to the whole project.

export interface Mode {
  scope?: string;
  match?: RegExp;
}

export interface Language {
  name: string;
  aliases: string[];
  unicodeRegex: boolean;
  keywords: { $pattern: RegExp; keyword: string[]; type: string[]; literal: string[] };
  contains: Mode[];
}

/** Makes a grammar from the parts that many languages share. */
export type LanguageFunction = (highlighter: Highlighter) => Language;

export interface Highlighter {
  readonly C_LINE_COMMENT_MODE: Mode;
  readonly C_BLOCK_COMMENT_MODE: Mode;
  readonly QUOTE_STRING_MODE: Mode;
  newInstance(): Highlighter;
  configure(options: { classPrefix: string }): void;
  registerLanguage(name: string, language: LanguageFunction): void;
  registerAliases(aliases: string[], options: { languageName: string }): void;
  getLanguage(name: string): Language | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

declare const highlighter: Highlighter;
export default highlighter;
