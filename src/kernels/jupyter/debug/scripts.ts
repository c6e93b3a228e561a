import type { Debugger } from "node:inspector";
import { fileURLToPath } from "node:url";
import { type LineColumn, readMappings } from "../../cells/source-map.ts";
import { cellRunOf } from "../../session/cell-runs.ts";
import type { CellFiles } from "./cell-files.ts";
import { callCells, type Inspector } from "./inspector.ts";

/** A script that was made from a cell, or from a module of the user's. */
export interface SourceScript {
  id: string;
  /** The file that it was made from; a name for the source of a cell. */
  path: string;
  /** Name in a stack trace. */
  name: string;
  isCell: boolean;
  /** Places in the source of places in the script. */
  placesOf(places: readonly LineColumn[]): Promise<(LineColumn | undefined)[]>;
}

/** The scripts that the thread of the cells has. */
export interface Scripts {
  /** The script of an id; undefined for one of Node or of the kernel. */
  get(id: string): Promise<SourceScript | undefined>;
  /** The scripts that were made from a file. */
  from(path: string): Promise<SourceScript[]>;
  /** The modules of the user's that have been loaded. */
  modules(): Promise<{ name: string; path: string }[]>;
  /** Forgets all scripts; the inspector tells of them again. */
  clear(): void;
}

const INLINE_MAP = /^data:application\/json[^,]*;base64,/;

/** Follows the scripts that an inspector tells of. Those of which `isForeign` is true of the URL are none of the user's. */
export function openScripts(
  inspector: Inspector,
  files: CellFiles,
  isForeign: (url: string) => boolean,
): Scripts {
  const scripts = new Map<string, () => Promise<SourceScript | undefined>>();

  inspector.on<Debugger.ScriptParsedEventDataType>("Debugger.scriptParsed", script => {
    const run = cellRunOf(script.url);
    const open = run === undefined ? moduleScript(script) : () => cellScript(script, run);
    if (!open) return;
    let opened: Promise<SourceScript | undefined> | undefined;
    scripts.set(script.scriptId, () => {
      opened ??= open();
      return opened;
    });
  });

  async function cellScript(
    { scriptId, url }: Debugger.ScriptParsedEventDataType,
    run: number,
  ): Promise<SourceScript | undefined> {
    const source = await callCells<string | null>(inspector, "sourceOf", run);
    if (source === null) return undefined;
    return {
      id: scriptId,
      path: files.add(source),
      name: url.replace(/^Cell(\[\d+)-\d+/, "Cell $1"),
      isCell: true,
      placesOf: async places =>
        (await callCells<(LineColumn | null)[]>(inspector, "placesOf", run, places)).map(
          each => each ?? undefined,
        ),
    };
  }

  function moduleScript({ scriptId, url, sourceMapURL = "" }: Debugger.ScriptParsedEventDataType) {
    if (!url.startsWith("file:") || isForeign(url)) return undefined;
    const path = fileURLToPath(url.replace(/\?.*$/, ""));
    const name = path.replace(/^.*[\\/]/, "");
    return async () => {
      const find = INLINE_MAP.test(sourceMapURL) ? mapOf(sourceMapURL) : (place: LineColumn) => place;
      return {
        id: scriptId,
        path,
        name,
        isCell: false,
        placesOf: async (places: readonly LineColumn[]) => places.map(find),
      };
    };
  }

  async function all(): Promise<SourceScript[]> {
    const opened = await Promise.all(Array.from(scripts.values(), open => open()));
    return opened.filter(script => script !== undefined);
  }

  return {
    get: async id => scripts.get(id)?.(),
    from: async path => (await all()).filter(script => script.path === path),
    async modules() {
      const found = (await all()).filter(({ isCell }) => !isCell);
      return [...new Map(found.map(({ path, name }) => [path, { name, path }])).values()];
    },
    clear: () => scripts.clear(),
  };
}

function mapOf(url: string): (place: LineColumn) => LineColumn | undefined {
  try {
    const { mappings } = JSON.parse(Buffer.from(url.replace(INLINE_MAP, ""), "base64").toString("utf8"));
    return readMappings(String(mappings));
  } catch {
    return place => place;
  }
}
