import type { Debugger, Runtime } from "node:inspector";
import { fileURLToPath } from "node:url";
import { attempted } from "../../../host/attempted.ts";
import { compileCell } from "../../cells/compile.ts";
import { type LineColumn, readMappings } from "../../cells/source-map.ts";
import type { Language } from "../../cells/syntax.ts";
import { cellRunOf } from "../../session/cell-runs.ts";
import { oxc } from "../syntax.ts";
import type { CellFiles } from "./cell-files.ts";
import { callCells, connectInspector, type Inspector } from "./inspector.ts";

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

export type Scripts = ReturnType<typeof openScripts>;

const INLINE_MAP = /^data:application\/json[^,]*;base64,/;

/** Follows the scripts that an inspector tells of. Those of which `isForeign` is true of the URL are none of the user's. */
export function openScripts(inspector: Inspector, files: CellFiles, isForeign: (url: string) => boolean) {
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
      const find = attempted(() => mapIn(sourceMapURL)) ?? ((place: LineColumn) => place);
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
    /** The script of an id; undefined for one of Node or of the kernel. */
    get: async (id: string) => scripts.get(id)?.(),
    from: async (path: string) => (await all()).filter(script => script.path === path),
    /** The modules of the user's that have been loaded. */
    async modules() {
      const found = (await all()).filter(({ isCell }) => !isCell);
      return [...new Map(found.map(({ path, name }) => [path, { name, path }])).values()];
    },
    /** Forgets all scripts; the inspector tells of them again. */
    clear: () => scripts.clear(),
  };
}

/** Reads the source map that a URL holds; undefined for another URL. */
function mapIn(url: string) {
  if (!INLINE_MAP.test(url)) return undefined;
  const { mappings } = JSON.parse(Buffer.from(url.replace(INLINE_MAP, ""), "base64").toString("utf8"));
  return readMappings(String(mappings));
}

/** A place in a script where it can stop, and the place in the source that it belongs to. */
export interface StopPlace {
  location: Debugger.Location;
  place: LineColumn;
}

export async function stopPlaces(
  inspector: Inspector,
  scriptId: string,
  placesOf: SourceScript["placesOf"],
): Promise<StopPlace[]> {
  const { locations } = await inspector.ask<Debugger.GetPossibleBreakpointsReturnType>(
    "Debugger.getPossibleBreakpoints",
    { start: { scriptId, lineNumber: 0, columnNumber: 0 } },
  );
  const places = await placesOf(
    locations.map(({ lineNumber, columnNumber = 0 }) => ({ line: lineNumber, column: columnNumber })),
  );
  return locations.flatMap((location, index) => {
    const place = places[index];
    return place ? [{ location, place }] : [];
  });
}

/** Returns the places where a cell that has not run yet can stop. The cell is compiled in this thread for that. */
export async function placesBefore(source: string, language: Language): Promise<StopPlace[]> {
  const cell = compileCell(oxc, source, { run: 0, language, known: new Map(), globals: new Set() });
  if ("mistakes" in cell) return [];
  const inspector = connectInspector("here");
  try {
    await inspector.ask("Runtime.enable");
    await inspector.ask("Debugger.enable");
    const { scriptId } = await inspector.ask<Runtime.CompileScriptReturnType>("Runtime.compileScript", {
      expression: cell.code,
      sourceURL: "",
      persistScript: true,
    });
    if (scriptId === undefined) return [];
    return await stopPlaces(inspector, scriptId, async places => places.map(cell.map.placeOf));
  } finally {
    inspector.close();
  }
}

/** The first place to stop at in a line, or in the next one that has any. Lines are counted from 1. */
export function firstFrom(places: readonly StopPlace[], line: number): StopPlace | undefined {
  const after = places.filter(({ place }) => place.line >= line - 1);
  return after.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)[0];
}
