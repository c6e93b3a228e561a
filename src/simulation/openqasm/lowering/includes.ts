import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { errorAt } from "../expressions/compiled.ts";
import type { StatementNode } from "../syntax/ast.ts";
import type { CompileLimits } from "../syntax/limits.ts";
import { openFile, type Reading } from "../syntax/parse.ts";

/** Maximum number of includes that are read, those of files that are included again and again among them. */
const MAX_INCLUDES = 10_000;

/** The files that come with a program, and that it includes. */
export class Includes {
  readonly #program: Reading;
  readonly #limits: CompileLimits;
  readonly #lower: (open: Reading) => void;
  /** The files that are being read, each included by the one before. */
  readonly #open: string[] = [];
  #length = 0;
  #count = 0;

  constructor(program: Reading, limits: CompileLimits, lower: (open: Reading) => void) {
    this.#program = program;
    this.#limits = limits;
    this.#lower = lower;
  }

  /** The names of the files. */
  get names(): readonly string[] {
    return this.#program.source.files;
  }

  /** Lowers the text of a file in the place of its include; returns false where there is no file of that name. */
  include(node: StatementNode & { kind: "include" }): boolean {
    const { source, tokens, diagnostics } = this.#program;
    const span = source.file(node.file);
    if (!span) return false;
    if (this.#open.includes(node.file))
      throw errorAt(
        node,
        this.#open.at(-1) === node.file
          ? `"${node.file}" includes itself.`
          : `"${node.file}" is included by "${this.#open.at(-1)}", which it includes itself.`,
      );
    this.#length += span.end - span.start;
    const tooMany = (max: number, what: string) =>
      new DiagnosticError(node.at, `The program includes more than ${max.toLocaleString("en-US")} ${what}.`, {
        isFatal: true,
      });
    if (this.#length > this.#limits.maxSource) throw tooMany(this.#limits.maxSource, "characters");
    if (++this.#count > MAX_INCLUDES) throw tooMany(MAX_INCLUDES, "files");
    const open = openFile(this.#program, span, this.#limits);
    this.#open.push(node.file);
    diagnostics.within(node.at, () => this.#lower(open));
    this.#open.pop();
    tokens.lexer.count(open.tokens.lexer.tokens);
    return true;
  }
}
