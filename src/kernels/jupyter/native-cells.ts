import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../cells/syntax.ts";
import { ownLibrary } from "../own-library.ts";
import { openTypedCells, ROOT_DOCUMENTS, type TypedCells } from "../typing/typed-cells.ts";
import { GLOBAL_TYPES } from "./global-types.ts";
import { nativeTypes } from "./native-types.ts";
import { oxc } from "./syntax.ts";
import { typeConfiguration } from "./type-configuration.ts";

export interface NativeCellsParts {
  folder: string;
  language: Language;
  defineModule(file: string, source: string): void;
}

/** Opens the types of a notebook's cells by TypeScript's native server. */
export function openNativeCells({ folder, language, defineModule }: NativeCellsParts): TypedCells {
  const { imports, globals } = ROOT_DOCUMENTS;
  const service = nativeTypes(folder, () => typeConfiguration(folder, [imports, globals]));
  return openTypedCells({
    service,
    syntax: oxc,
    language,
    forbidsAny: () => existsSync(join(folder, "tsconfig.json")),
    libraryTypes(file) {
      const types = join(ownLibrary() ?? "", `${file}.d.ts`);
      return existsSync(types) ? readFileSync(types, "utf8") : "";
    },
    globalTypes: GLOBAL_TYPES,
    defineModule: (file, source) => defineModule(join(folder, file), source),
  });
}
