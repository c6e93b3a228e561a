/** A folder of `src`, or a file of its root, and what it may import. */
export interface Room {
  /** The path in `src`: `client`, `simulation/circuit`, `version.ts`. */
  readonly name: string;
  /** The rooms that it may import; `*` is all of them. */
  readonly rooms: readonly string[];
  /** The packages that it may import; `node` is every module of Node. */
  readonly packages: readonly string[];
}

const ROW = /^\| `(?<name>[^`]+)` \|[^|]*\|(?<rooms>[^|]*)\|(?<packages>[^|]*)\|$/gm;

const namesIn = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);

/** Returns the rooms that a document lists in a table of four columns: room, contents, rooms, packages. */
export function readRooms(document: string): Room[] {
  return Array.from(document.matchAll(ROW), ({ groups }) => ({
    name: groups!.name!,
    rooms: namesIn(groups!.rooms!),
    packages: namesIn(groups!.packages!),
  }));
}

/**
 * Returns the name of the room in which a file of `src` lies: a listed file is a room of its own, else it is the
 * deepest listed folder. A room with listed rooms inside covers its own files only, so that a new folder beside them
 * is a room that is listed nowhere.
 */
export function roomOf(file: string, rooms: readonly Room[]): string {
  if (rooms.some(({ name }) => name === file)) return file;
  const parts = file.split("/");
  const prefix = (depth: number) => parts.slice(0, depth).join("/");
  const holdsFolders = (name: string) =>
    rooms.some(room => room.name.startsWith(`${name}/`) && !room.name.endsWith(".ts"));
  let depth = 1;
  while (depth < parts.length - 1 && holdsFolders(prefix(depth))) depth += 1;
  return prefix(depth);
}
