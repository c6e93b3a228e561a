import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { childrenOf, type Language, type SyntaxNode } from "../cells/syntax.ts";
import { compilerOptions } from "./folder-configuration.ts";
import { nativeCompiler } from "./native-types.ts";

/** The names of functions that the compiler adds to what it emits for decorators. */
export const EMITTED_HELPER =
  /^__(?:esDecorate|runInitializers|propKey|setFunctionName|decorate|param|metadata)$/;

const HINT = /@|\baccessor\b|\bnamespace\b/;

/**
 * Whether a source has what neither V8 runs nor Oxc lowers: decorators, `accessor` fields, and namespaces of one name
 * that see each other's exports.
 */
export function needsDownlevel(source: string, language: Language): boolean {
  if (!HINT.test(source)) return false;
  const { program } = parseSync("module.ts", source, { lang: language === "typescript" ? "ts" : "js" });
  const namespaces = new Set<string>();
  return needs(program as unknown as SyntaxNode);

  function needs(node: SyntaxNode): boolean {
    if (node.type === "Decorator" || node.type === "AccessorProperty") return true;
    if (node.type === "TSModuleDeclaration") {
      const { name } = node.id as { name?: string };
      if (name && namespaces.has(name)) return true;
      if (name) namespaces.add(name);
    }
    return [...childrenOf(node)].some(needs);
  }
}

const OPTIONS = [
  ["--ignoreConfig", "--noCheck", "--noResolve", "--noLib", "--isolatedModules", "--allowJs", "--sourceMap"],
  ["--target", "es2024", "--outDir", "out"],
].flat();

const DECORATORS = ["experimentalDecorators", "emitDecoratorMetadata"] as const;
/** The kernel starts in the notebook's folder. */
const CONFIGURATION = join(process.cwd(), "tsconfig.json");

/** Options of emitted JavaScript. */
export interface DownlevelOptions {
  /** Whether what is imported, and seems to be types, stays; default: false. */
  keepImports?: boolean;
  /** Whether a module becomes a CommonJS one; default: false. */
  commonjs?: boolean;
}

/** Emits JavaScript by TypeScript's own compiler; undefined where there is none for this machine. */
export function downlevel(
  source: string,
  language: Language,
  { keepImports = false, commonjs = false }: DownlevelOptions = {},
): { code: string; mappings: string } | undefined {
  const compiler = nativeCompiler();
  if (!compiler) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "ketbook-emit-"));
  try {
    const file = language === "typescript" ? "module.ts" : "module.js";
    writeFileSync(join(folder, file), source);
    const module = ["--module", commonjs ? "commonjs" : "preserve"];
    const imports = keepImports ? ["--verbatimModuleSyntax"] : [];
    const given = compilerOptions(CONFIGURATION);
    const decorators = DECORATORS.filter(name => given[name] === true).map(name => `--${name}`);
    spawnSync(compiler, [file, ...OPTIONS, ...module, ...imports, ...decorators], {
      cwd: folder,
      stdio: "ignore",
    });
    const read = (name: string) => readFileSync(join(folder, "out", name), "utf8");
    const { mappings } = JSON.parse(read("module.js.map")) as { mappings: string };
    return { code: read("module.js").replace(/\/\/# sourceMappingURL=.*\s*$/, ""), mappings };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
