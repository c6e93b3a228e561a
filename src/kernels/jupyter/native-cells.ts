import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { attempted } from "../../host/attempted.ts";
import type { Language } from "../cells/syntax.ts";
import { LIBRARY, LIBRARY_FILES } from "../library-name.ts";
import { ownLibrary } from "../own-library.ts";
import { CELL_OPTIONS, CELL_TYPES, DEFAULT_OPTIONS } from "../typing/compiler-options.ts";
import { openTypedCells, ROOT_DOCUMENTS, type TypedCells } from "../typing/typed-cells.ts";
import { readConfiguration } from "./folder-configuration.ts";
import { nativeCompiler, nativeTypes } from "./native-types.ts";
import { oxc } from "./syntax.ts";

/** Opens the types of a notebook's cells by TypeScript's native server. */
export function openNativeCells(
  folder: string,
  language: Language,
  defineModule: (file: string, source: string) => void,
): TypedCells {
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
    globalTypes: `${GLOBAL_TYPES}\n${webAssemblyTypes()}`,
    defineModule: (file, source) => defineModule(join(folder, file), source),
  });
}

/** The `tsconfig.json` of a notebook's cells: what they run in, and what the folder's own says besides. */
function typeConfiguration(folder: string, files: readonly string[]): object {
  const own = readConfiguration(join(folder, "tsconfig.json"));
  const require = createRequire(join(folder, "notebook.ts"));
  return {
    ...own,
    compilerOptions: {
      jsx: "preserve",
      ...(own?.compilerOptions as object | undefined),
      ...(!own && { ...DEFAULT_OPTIONS, paths: pathsFor(require) }),
      ...nodeTypes(require),
      ...CELL_OPTIONS,
    },
    typeAcquisition: { enable: false },
    // A configuration that does not hold for itself has the server load those of the folders above.
    files: [...files, "tsconfig.json"],
    include: [],
  };
}

function pathsFor(require: NodeJS.Require): Record<string, string[]> {
  const own = attempted(() => require.resolve(LIBRARY)) ? undefined : ownLibrary();
  if (!own) return {};
  return Object.fromEntries(Array.from(LIBRARY_FILES, ([name, file]) => [name, [join(own, `${file}.d.ts`)]]));
}

/** Types of Node that the kernel brings along, under a name that nothing else takes for its own. */
const OWN_TYPES = "types-node";

/**
 * The types of Node: the notebook's own, otherwise those beside the kernel, which packages there refer to and which would be
 * loaded in any case, otherwise those that the kernel brings along.
 */
function nodeTypes(require: NodeJS.Require): { types: string[]; typeRoots: string[] } {
  const kernel = createRequire(import.meta.url);
  const rootOf = (manifest: string) => dirname(dirname(manifest));
  const typesFor = (from: NodeJS.Require) => attempted(() => from.resolve("@types/node/package.json"));
  const installed = typesFor(require) ?? typesFor(kernel);
  if (installed) return { types: ["node"], typeRoots: [rootOf(installed)] };
  return { types: [OWN_TYPES], typeRoots: [rootOf(kernel.resolve(`${OWN_TYPES}/package.json`))] };
}

/** Types of Node's globals that its own types leave to those of a browser. */
const GLOBAL_TYPES = `
${CELL_TYPES}
declare function prompt(message?: string, initial?: string): string | null;
declare function confirm(message?: string): boolean;
declare function alert(message?: string): void;
/** A two-way channel between cells and the front end. */
interface Comm {
  readonly id: string;
  /** Sends data, as JSON. */
  send(data: object): void;
  /** Calls \`hear\` with what the front end sends, in place of an earlier listener. */
  on(hear: (data: any) => void): void;
  /** Closes the channel on both sides. */
  close(): void;
}
/** Two-way channels to the front end, by Jupyter's comm messages. */
declare var comms: {
  /** Opens a channel to what the front end has registered as \`target\`. */
  open(target: string, data?: object, metadata?: object): Comm;
  /** Calls \`opened\` with each channel that the front end opens to \`target\`. */
  register(target: string, opened: (comm: Comm, data: any) => void): void;
};
/** Widgets, as the last value of a cell or by \`display\`. The front end needs the extension of ipywidgets, or of anywidget. */
declare var widgets: {
  /** Makes a slider from \`min\` (0) to \`max\` (100). Its \`value\` follows the user and can be set; \`on\` hears each change. */
  slider(options?: { min?: number; max?: number; step?: number; value?: number; label?: string }): { value: number; on(hear: (value: number) => void): void; close(): void };
  /** Makes a button. \`clicked\`, and what \`on\` adds, is called at each click. */
  button(label: string, clicked?: () => void): { on(hear: () => void): void; close(): void };
  /** Makes an area for text and values, which listeners of other widgets can fill. */
  output(): { write(text: string): void; show(value: unknown): Promise<void>; clear(): void; close(): void };
  /** Makes a widget of a module for anywidget, given as its text or URL, and the state that it shares with the cells. */
  esm<T extends object>(module: string, state: T, css?: string): {
    get<K extends keyof T>(name: K): T[K];
    set(part: Partial<T>): void;
    on(hear: (state: T) => void): void;
    send(content: unknown): void;
    hear(hear: (content: any) => void): void;
    close(): void;
  };
};
`;

/** The types of WebAssembly, which TypeScript has among those of a browser. What a module exports is of any type. */
function webAssemblyTypes(): string {
  const compiler = nativeCompiler();
  const types = compiler ? readFileSync(join(dirname(compiler), "lib.dom.d.ts"), "utf8") : "";
  const [namespace = ""] = /^declare namespace WebAssembly [\s\S]*?^}/m.exec(types) ?? [];
  return `type BufferSource = ArrayBufferView | ArrayBuffer;\n${namespace.replace("Record<string, ExportValue>", "Record<string, any>")}`;
}
