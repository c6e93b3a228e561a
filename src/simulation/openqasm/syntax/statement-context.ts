import { DiagnosticError, type Diagnostics, errorAt } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, NameNode, NodeList, StatementNode } from "./ast.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { describe } from "./lexer.ts";
import type { TokenStream } from "./token-stream.ts";
import { KEYWORDS_2, KEYWORDS_3 } from "./token-stream.ts";

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type Shape = Without<StatementNode, "at" | "end">;

/** Common parts of statements: names, blocks and semicolons; `statement` is the entry of the recursive descent. */
export abstract class StatementContext {
  readonly tokens: TokenStream;
  readonly expressions: ExpressionParser;
  readonly isVersion2: boolean;
  protected readonly diagnostics: Diagnostics;
  protected readonly keywords: ReadonlySet<string>;

  constructor(tokens: TokenStream, diagnostics: Diagnostics, isVersion2: boolean) {
    this.tokens = tokens;
    this.diagnostics = diagnostics;
    this.isVersion2 = isVersion2;
    this.expressions = new ExpressionParser(tokens, isVersion2, of => this.block(of));
    this.keywords = isVersion2 ? KEYWORDS_2 : KEYWORDS_3;
  }

  /** Parses a statement; null stands for one that was reported and left out. */
  abstract statement(): StatementNode | null;

  /** Takes the semicolon. If the next token is on another line, a missing one is reported and reading continues. */
  semicolon(where: string): void {
    if (this.tokens.is(";") || !this.tokens.isAtLineEnd()) this.tokens.expect(";", where);
    else this.diagnostics.report(new DiagnosticError(this.tokens.lastEnd, `\`;\` is missing ${where}.`));
  }

  name(what: string, hint?: string): NameNode {
    const token = this.tokens.peek();
    if (token.kind !== "name")
      throw errorAt(token, `The name of ${what} is missing here, before ${describe(token)}.`, hint);
    const { text, at, end } = token;
    if (this.keywords.has(text))
      throw errorAt(token, `\`${text}\` is a word of the language and cannot name ${what}.`, hint);
    this.tokens.take();
    return { name: text, at, end };
  }

  /** Parses an expression in brackets, if there is one. */
  bracketed(where: string): ExpressionNode | null {
    if (!this.tokens.accept("[")) return null;
    const inner = this.expressions.expression();
    this.tokens.expect("]", where);
    return inner;
  }

  block(of: string, hint?: string): NodeList {
    const { tokens } = this;
    const open = tokens.expect("{", `where ${of} begins`, hint);
    const body: StatementNode[] = [];
    while (!tokens.accept("}")) {
      if (tokens.peek().kind === "end")
        throw new DiagnosticError(open.at, `The { that begins ${of} is never closed.`, { isFatal: true });
      const statement = this.statement();
      if (statement) body.push(statement);
    }
    return body;
  }
}
