import type ts from "@tslab/typescript-for-tslab";
import type { TypeScript } from "./internals.ts";

/** What the rewriting of a cell has to know. */
export interface TransformOptions {
  checker: ts.TypeChecker;
  /** The cell's own number. */
  run: number;
  /** Whether a file holds the declarations of earlier cells. */
  isEarlier(file: ts.SourceFile): boolean;
}

/**
 * Rewrites a cell's program where tslab would make something wrong of it, before tslab does its own part:
 * what has been declared in earlier cells is meant in `{ rows }`, and property names in patterns are left alone;
 * `import()` is Node's own; and whatever is awaited can be interrupted.
 */
export function cellTransform(
  { factory, visitEachChild, ...ts }: TypeScript,
  { checker, run, isEarlier }: TransformOptions,
): ts.TransformerFactory<ts.SourceFile> {
  const declaredEarlier = (symbol: ts.Symbol | undefined) =>
    symbol?.declarations?.some(each => isEarlier(each.getSourceFile())) ?? false;
  const kernel = factory.createIdentifier("__tslab__");

  /** A member of the kernel, or itself where the program has been taken elsewhere, such as into a browser. */
  function settled(name: "settle" | "settleEach", value: ts.Expression, at: ts.Node): ts.Expression {
    const member = factory.createPropertyAccessChain(
      factory.createPropertyAccessExpression(factory.createIdentifier("globalThis"), kernel),
      factory.createToken(ts.SyntaxKind.QuestionDotToken),
      name,
    );
    const parameter = factory.createParameterDeclaration(undefined, undefined, "value");
    const same = factory.createArrowFunction(
      undefined,
      undefined,
      [parameter],
      undefined,
      undefined,
      factory.createIdentifier("value"),
    );
    const either = factory.createLogicalOr(member, factory.createParenthesizedExpression(same));
    const { line, character } = at.getSourceFile().getLineAndCharacterOfPosition(at.getStart());
    const place = [run, line, character].map(each => factory.createNumericLiteral(each));
    return factory.createCallExpression(factory.createParenthesizedExpression(either), undefined, [
      value,
      ...place,
    ]);
  }

  function propertyName(name: ts.PropertyName): ts.PropertyName {
    const wrong = ts.isIdentifier(name) && declaredEarlier(checker.getSymbolAtLocation(name));
    return wrong ? ts.setTextRange(factory.createStringLiteral(name.text), name) : name;
  }

  function shorthand(node: ts.ShorthandPropertyAssignment, visit: ts.Visitor): ts.Node {
    if (!declaredEarlier(checker.getShorthandAssignmentValueSymbol(node))) return node;
    const { text } = node.name;
    const earlier = factory.createPropertyAccessExpression(factory.createIdentifier("exports"), text);
    const initializer = node.objectAssignmentInitializer;
    const value = initializer
      ? factory.createAssignment(earlier, ts.visitNode(initializer, visit) as ts.Expression)
      : earlier;
    return ts.setTextRange(factory.createPropertyAssignment(factory.createStringLiteral(text), value), node);
  }

  return context => file => {
    const visit: ts.Visitor = original => {
      if (ts.isShorthandPropertyAssignment(original)) return shorthand(original, visit);
      const node = visitEachChild(original, visit, context);
      if (ts.isBindingElement(node) && node.propertyName) {
        const name = propertyName(node.propertyName);
        return factory.updateBindingElement(node, node.dotDotDotToken, name, node.name, node.initializer);
      }
      if (ts.isPropertyAssignment(node)) {
        return factory.updatePropertyAssignment(node, propertyName(node.name), node.initializer);
      }
      if (ts.isAwaitExpression(node)) {
        return factory.updateAwaitExpression(node, settled("settle", node.expression, original));
      }
      if (ts.isForOfStatement(node) && node.awaitModifier) {
        const values = settled("settleEach", node.expression, original);
        return factory.updateForOfStatement(
          node,
          node.awaitModifier,
          node.initializer,
          values,
          node.statement,
        );
      }
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        const load = factory.createPropertyAccessExpression(kernel, "import");
        return factory.updateCallExpression(node, load, undefined, node.arguments);
      }
      return node;
    };
    return ts.visitNode(file, visit) as ts.SourceFile;
  };
}
