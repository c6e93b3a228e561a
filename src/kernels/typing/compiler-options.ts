import { LIBRARY } from "../library-name.ts";

/** Types of the globals that every cell has, and of the modules that the kernel itself provides. */
export const CELL_TYPES = `declare var display: import("${LIBRARY}").Display;
declare module "tslab" {
  type Display = import("${LIBRARY}").Display;
  const display: Display;
  function newDisplay(): Display;
}
declare module "*.wasm";
declare namespace JSX {
  interface Element { readonly type: unknown; readonly props: Record<string, any>; toHtml(): string }
  interface IntrinsicElements { [name: string]: any }
  interface ElementChildrenAttribute { children: {} }
  type ElementType = string | ((props: any) => any);
}`;

/** The compiler options of cells, as a `tsconfig.json` has them, whatever else a folder's own says. */
export const CELL_OPTIONS = {
  module: "preserve",
  moduleResolution: "bundler",
  moduleDetection: "force",
  noEmit: true,
  composite: false,
  allowJs: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  isolatedModules: false,
  verbatimModuleSyntax: false,
  erasableSyntaxOnly: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
} as const;

/** The compiler options of cells in a folder that says nothing of them. */
export const DEFAULT_OPTIONS = {
  strict: true,
  strictPropertyInitialization: false,
  noImplicitThis: false,
  useUnknownInCatchVariables: false,
  lib: ["esnext"],
  target: "esnext",
  skipLibCheck: true,
} as const;

/**
 * The compiler's numbers for what is implicitly of the type `any`. Such is allowed in cells of a folder that says nothing
 * of them; without the option itself, an empty array could take no element.
 */
export const IMPLICIT_ANY: ReadonlySet<number> = new Set([
  7005, 7006, 7008, 7010, 7011, 7013, 7015, 7016, 7017, 7018, 7019, 7020, 7022, 7023, 7024, 7025, 7031, 7032,
  7033, 7034, 7036, 7039, 7041, 7050, 7051, 7052, 7053, 7054, 7055, 7056, 7057,
]);
