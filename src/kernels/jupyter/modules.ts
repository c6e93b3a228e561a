import { readFileSync } from "node:fs";
import { createRequire, isBuiltin, registerHooks, setSourceMapsSupport } from "node:module";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";
import { transformSync } from "oxc-transform";
import { LIBRARY_FILES } from "../library-name.ts";
import { ownLibrary } from "../own-library.ts";
import { compilerOptions, mappedPaths } from "./folder-configuration.ts";
import { candidatesOf, changeOf, fileContent, isFile } from "./local-files.ts";
import { downlevel, isSyntaxError, jsxOptions, needsDownlevel } from "./syntax.ts";

interface LocalModule {
  /** Modification time of the file when loaded; `NaN` if unknown. */
  changed: number;
  version: number;
  importers: Set<string>;
}

const TYPESCRIPT = /\.(?:[cm]?tsx?|jsx)$/;

/** The key of the modules that the kernel provides, by which their sources reach them. */
const PROVIDED = Symbol.for("ketbook.modules");

/**
 * Opens the modules that cells load, as modules in a notebook's folder do. Files there are read again after they have been edited. `provided` are modules of the
 * kernel's own, which take the place of installed ones.
 */
export function openModules(folder: string, provided: Readonly<Record<string, object>> = {}) {
  const filename = join(folder, "notebook.ts");
  const base = pathToFileURL(filename).href;
  const require = createRequire(filename);
  Object.defineProperty(globalThis, PROVIDED, { value: provided });
  const providedFile = (name: string) => join(folder, `__ketbook_module_${name}.js`);
  const defined = new Map(
    Object.entries(provided).map(([name, module]) => [
      providedFile(name),
      `export const { ${Object.keys(module).join(", ")} } = globalThis[Symbol.for("${PROVIDED.description}")].${name};`,
    ]),
  );
  const locals = new Map<string, LocalModule>();
  const configuration = join(folder, "tsconfig.json");
  let { paths } = compilerOptions(configuration);

  // Lines and columns in the stacks of errors are those of the modules' sources.
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  registerHooks({
    resolve(specifier, context, next) {
      const found = locate(specifier, context.parentURL, () => next(specifier, context));
      const isRequired = context.conditions?.includes("require");
      if (isRequired || !isLocal(found.url)) return found;
      const file = fileURLToPath(found.url);
      const { version, importers } = localModule(file);
      const importer = context.parentURL;
      if (importer && importer !== base && isLocal(importer)) importers.add(fileURLToPath(importer));
      return version === 0 ? found : { ...found, url: `${pathToFileURL(file).href}?${version}` };
    },
    load(url, context, next) {
      const file = url.startsWith("file:") ? fileURLToPath(url.replace(/\?.*$/, "")) : "";
      const source = defined.get(file);
      if (source === undefined && !(TYPESCRIPT.test(file) && isLocal(url))) return next(url, context);
      const text = source ?? readFileSync(file, "utf8");
      const format = file.endsWith(".cts") ? "commonjs" : "module";
      return { format, source: javascriptOf(file, text), shortCircuit: true };
    },
  });

  /** Finds a module; of local files, the ending may be left out, or be that of the JavaScript they become. */
  function locate<T extends { url: string }>(
    specifier: string,
    parent: string | undefined,
    find: () => T,
  ): T {
    const found = (file: string, more: object = {}) =>
      ({ url: pathToFileURL(file).href, shortCircuit: true, ...more }) as unknown as T;
    const local = /^(?:\.{0,2}\/|file:)/.test(specifier) && parent?.startsWith("file:");
    const path = local ? fileURLToPath(new URL(specifier, parent)) : "";
    if (local) {
      const hit = candidatesOf(path).find(each => defined.has(each));
      if (hit) return found(hit, { format: "module" });
    } else if (parent && isLocal(parent)) {
      if (Object.hasOwn(provided, specifier)) return found(providedFile(specifier), { format: "module" });
      const hit = mappedPaths(paths, specifier).flatMap(candidatesOf).find(isFile);
      if (hit) return found(hit);
    }
    try {
      return find();
    } catch (error) {
      const file = LIBRARY_FILES.get(specifier);
      const own = file && ownLibrary();
      const hit = own ? join(own, `${file}.js`) : local ? candidatesOf(path).find(isFile) : undefined;
      if (!hit) throw error;
      return found(hit);
    }
  }

  function localModule(file: string): LocalModule {
    const known = locals.get(file);
    if (known) return known;
    const fresh = { changed: changeOf(file), version: 0, importers: new Set<string>() };
    locals.set(file, fresh);
    return fresh;
  }

  /** Assigns a new version to every file that has changed since it was loaded, and to every file that imports one. */
  function refresh(): void {
    paths = compilerOptions(configuration).paths;
    for (const [file, module] of locals) {
      const changed = changeOf(file);
      if (Object.is(changed, module.changed)) continue;
      module.changed = changed;
      renew(file);
    }
  }

  function renew(file: string, renewed = new Set<string>()): void {
    const module = locals.get(file);
    if (!module || renewed.has(file)) return;
    renewed.add(file);
    module.version += 1;
    for (const importer of module.importers) renew(importer, renewed);
  }

  const load = vm.runInThisContext("(specifier, options) => import(specifier, options)", {
    filename: base,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as (specifier: string, options?: object) => Promise<unknown>;
  withoutWarnings(() => load("node:module"));

  return {
    require,
    meta: {
      url: base,
      filename,
      dirname: folder,
      main: true,
      resolve: (specifier: string) => {
        if (isBuiltin(specifier)) return specifier.startsWith("node:") ? specifier : `node:${specifier}`;
        if (/^\.{0,2}\/|^[a-z][\w+.-]*:/i.test(specifier)) return new URL(specifier, base).href;
        return pathToFileURL(require.resolve(specifier)).href;
      },
    },
    async import(specifier: unknown, options?: object) {
      refresh();
      const name = String(specifier);
      return load(isAbsolute(name) ? pathToFileURL(name).href : name, options);
    },
    /** The module of the notebook's own that a script's URL, or path, is of. */
    at(script: string): { title: string; source: string } | undefined {
      const isUrl = script.startsWith("file:");
      if (!isUrl && !isAbsolute(script)) return undefined;
      const file = isUrl ? fileURLToPath(script.replace(/\?.*$/, "")) : script;
      if (!isLocal(pathToFileURL(file).href)) return undefined;
      const source = defined.get(file) ?? fileContent(file);
      return source === undefined ? undefined : { title: relative(folder, file), source };
    },
    /** Puts a source in the place of a file that need not exist. */
    define(file: string, source: string) {
      defined.set(file, source);
      localModule(file);
      renew(file);
    },
  };
}
const isLocal = (url: string): boolean =>
  url.startsWith("file:") && !url.includes("/node_modules/") && !url.startsWith(OWN_FOLDER);
const OWN_FOLDER = pathToFileURL(dirname(fileURLToPath(import.meta.url)) + sep).href;

function javascriptOf(file: string, source: string): string {
  const { code, map, errors } = transformSync(file, source, {
    sourcemap: true,
    target: "esnext",
    jsx: jsxOptions(source),
    typescript: { onlyRemoveTypeImports: false },
  });
  const wrong = errors.find(isSyntaxError);
  if (wrong) throw new SyntaxError(`${file}: ${wrong.message}\n${wrong.codeframe ?? ""}`);
  const commonjs = file.endsWith(".cts");
  const lowered =
    commonjs || needsDownlevel(source, "typescript")
      ? downlevel(source, "typescript", { commonjs })
      : undefined;
  const mappings = lowered?.mappings ?? map?.mappings;
  const encoded = Buffer.from(JSON.stringify({ version: 3, names: [], sources: [file], mappings })).toString(
    "base64",
  );
  return `${lowered?.code ?? code}\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
}

/** Node warns at the first use that it may change this way to import. */
function withoutWarnings(use: () => unknown): void {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  use();
  process.emitWarning = emitWarning;
}
