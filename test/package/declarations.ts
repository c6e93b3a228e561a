import ts from "typescript-5.9";

/** What a reader of a file of declarations misses. */
export interface Gaps {
  /** Types that an exported name mentions and that can't be imported, such as `Job: JobFeed`. */
  hidden: string[];
  /** Names that can be imported from two places. */
  twice: string[];
  /**
   * Exported names and members without a sentence, their own or that of what they implement, such as `Job.qrn`.
   * Members named by a symbol, which nobody calls, need none.
   */
  undocumented: string[];
}

const SENTENCE = /^[^a-z].*[.:!?]/s;

/** Finds the gaps in the declarations of a package, by the files of what can be imported from it. */
export function findGaps(paths: readonly string[]): Gaps {
  const program = ts.createProgram(paths, { target: ts.ScriptTarget.ES2022, types: [] });
  const checker = program.getTypeChecker();
  const own = (node: ts.Node) => !program.isSourceFileDefaultLibrary(node.getSourceFile());
  const resolved = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exports = paths.map(path =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)!)!).map(resolved),
  );
  const exported = exports.flat();
  const importable = new Set(exported);
  const declarationsOf = ({ declarations = [] }: ts.Symbol) => declarations.filter(own);

  function mentionedIn(node: ts.Node): ts.Symbol[] {
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node) && node.expression;
    const mentioned = name ? [resolved(checker.getSymbolAtLocation(name)!)] : [];
    node.forEachChild(child => void mentioned.push(...mentionedIn(child)));
    return mentioned;
  }

  function isHidden(symbol: ts.Symbol): boolean {
    if (importable.has(symbol) || symbol.flags & ts.SymbolFlags.TypeParameter) return false;
    return symbol.declarations?.every(own) ?? false;
  }

  function membersOf(symbol: ts.Symbol): ts.Symbol[] {
    const isType = symbol.flags & (ts.SymbolFlags.Type & ~ts.SymbolFlags.TypeParameter);
    const types = [
      ...(isType ? [checker.getDeclaredTypeOfSymbol(symbol)] : []),
      ...(symbol.flags & ts.SymbolFlags.Value ? [checker.getTypeOfSymbol(symbol)] : []),
    ];
    return types
      .flatMap(type => (type.isUnion() ? type.types : [type]))
      .flatMap(type => checker.getPropertiesOfType(type))
      .filter(member => !/^(?:prototype$|__@)/.test(member.name) && declarationsOf(member).length > 0);
  }

  const isSilent = (symbol: ts.Symbol) =>
    !SENTENCE.test(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
  const gaps = exported.map(symbol => ({
    hidden: declarationsOf(symbol)
      .flatMap(mentionedIn)
      .filter(isHidden)
      .map(({ name }) => `${symbol.name}: ${name}`),
    undocumented: [
      ...(isSilent(symbol) ? [symbol.name] : []),
      ...membersOf(symbol)
        .filter(isSilent)
        .map(({ name }) => `${symbol.name}.${name}`),
    ],
  }));
  return {
    twice: exported.filter((symbol, index) => exported.indexOf(symbol) < index).map(({ name }) => name),
    hidden: [...new Set(gaps.flatMap(({ hidden }) => hidden))],
    undocumented: [...new Set(gaps.flatMap(({ undocumented }) => undocumented))],
  };
}
