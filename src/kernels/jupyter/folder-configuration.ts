import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { attempted } from "../../host/attempted.ts";

/** The compiler options of a configuration and of those that it extends. The targets of `paths` are absolute. */
interface CompilerOptions {
  paths?: Record<string, string[]>;
  experimentalDecorators?: boolean;
  emitDecoratorMetadata?: boolean;
  jsx?: string;
  jsxFactory?: string;
  jsxFragmentFactory?: string;
  jsxImportSource?: string;
}

interface Configuration {
  extends?: unknown;
  compilerOptions?: CompilerOptions & { baseUrl?: string };
}

const COMMENT = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMA = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;

/** Reads a `tsconfig.json`, in which comments and trailing commas are allowed; undefined where none can be read. */
export function readConfiguration(file: string): Record<string, unknown> | undefined {
  if (!existsSync(file)) return undefined;
  const text = () => readFileSync(file, "utf8").replace(COMMENT, "$1").replace(TRAILING_COMMA, "$1");
  return attempted(() => JSON.parse(text()));
}

/** The configurations that a `tsconfig.json` comes from: those that it extends, and itself, whether there is one or not. */
function chainOf(file: string, above: readonly string[] = []): { file: string; own: Configuration }[] {
  if (above.includes(file)) return [];
  const own: Configuration = readConfiguration(file) ?? {};
  const bases = [own.extends ?? []].flat();
  return [...bases.flatMap(base => chainOf(baseOf(String(base), file), [...above, file])), { file, own }];
}

/** The files that a `tsconfig.json` comes from. */
export const configurationFiles = (file: string): string[] => chainOf(file).map(({ file }) => file);

/** The compiler options that a `tsconfig.json` comes to; none where there is no such file. */
export function compilerOptions(file: string): CompilerOptions {
  const all = chainOf(file).map(({ file, own: { compilerOptions: options = {} } }) => {
    const from = resolve(dirname(file), options.baseUrl ?? ".");
    const paths = Object.entries(options.paths ?? {}).map(([pattern, targets]) => [
      pattern,
      targets.map(target => resolve(from, target)),
    ]);
    return { ...options, ...(options.paths && { paths: Object.fromEntries(paths) }) };
  });
  return Object.assign({}, ...all);
}

function baseOf(name: string, file: string): string {
  if (!/^\.{1,2}\//.test(name) && !isAbsolute(name))
    return attempted(() => createRequire(file).resolve(name)) ?? name;
  const base = resolve(dirname(file), name);
  return existsSync(base) ? base : `${base}.json`;
}

/** The files that `paths` has for the name of a module, by the pattern that says most of it. */
export function mappedPaths(paths: CompilerOptions["paths"] = {}, name: string): string[] {
  const matching = Object.entries(paths).flatMap(([pattern, targets]) => {
    const [before = "", after] = pattern.split("*");
    const end = name.length - (after?.length ?? 0);
    const matches =
      after === undefined
        ? name === pattern
        : end >= before.length && name.startsWith(before) && name.endsWith(after);
    const said = name.slice(before.length, end);
    return matches
      ? [{ exact: after === undefined, before, found: targets.map(each => each.replace("*", () => said)) }]
      : [];
  });
  const best = matching.toSorted(
    (a, b) => Number(b.exact) - Number(a.exact) || b.before.length - a.before.length,
  );
  return best[0]?.found ?? [];
}
