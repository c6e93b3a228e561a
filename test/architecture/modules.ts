/** A module of `src`, and what it may import. */
export interface Module {
  /** The folder in `src`, such as `client` or `host/node`; `.` has the files of `src` itself. */
  readonly name: string;
  /** The modules that it may import; `*` is all of them. */
  readonly modules: readonly string[];
  /** The packages that it may import. */
  readonly packages: readonly string[];
  /** `yes` if it may import Node's own modules; else the files and folders in it that may. */
  readonly node: readonly string[];
}

const ROW = /^\| `(?<name>[^`]+)` \|[^|]*\|(?<modules>[^|]*)\|(?<packages>[^|]*)\|(?<node>[^|]*)\|$/gm;

const namesIn = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);

/** Returns the modules of a document's table of five columns: module, content, modules, packages, Node. */
export function readModules(document: string): Module[] {
  return Array.from(document.matchAll(ROW), ({ groups = {} }) => ({
    name: groups.name!,
    modules: namesIn(groups.modules!),
    packages: namesIn(groups.packages!),
    node: groups.node!.trim() === "yes" ? ["yes"] : namesIn(groups.node!),
  }));
}

/** Returns the name of the module in which a file lies: the deepest listed folder around it, else its first folder. */
export function moduleOf(file: string, modules: readonly Module[]): string {
  const [first = "", ...rest] = file.split("/");
  if (rest.length === 0) return ".";
  const around = modules.map(({ name }) => name).filter(name => file.startsWith(`${name}/`));
  return around.sort((a, b) => b.length - a.length)[0] ?? first;
}
