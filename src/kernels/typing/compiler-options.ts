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
  strict: false,
  lib: ["esnext"],
  target: "esnext",
  skipLibCheck: true,
} as const;
