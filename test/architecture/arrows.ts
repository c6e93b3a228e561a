import type { Imports } from "./imports.ts";
import { type Room, roomOf } from "./rooms.ts";

/** Returns a sentence for each import that no row of the table allows, and for each row without a room. */
export function findForbidden(imports: Imports, rooms: readonly Room[]): string[] {
  const byName = new Map(rooms.map(room => [room.name, room]));
  const found = new Set<string>();
  const inhabited = new Set<string>();
  for (const [file, targets] of imports) {
    const name = roomOf(file, rooms);
    const room = byName.get(name);
    inhabited.add(name);
    if (!room) found.add(`${name} is in no row of the table of rooms, and may import nothing until it is.`);
    for (const { target, inside } of targets) {
      const wanted = inside ? roomOf(target, rooms) : target;
      const allowed = inside ? room?.rooms : room?.packages;
      if (wanted !== name && !allowed?.includes(wanted) && !allowed?.includes("*"))
        found.add(`${file} imports ${target}: ${name} has no arrow to ${wanted}.`);
    }
  }
  for (const { name } of rooms) if (!inhabited.has(name)) found.add(`${name} has a row and no files.`);
  return [...found];
}

/** Returns the circles in which files import each other's values, each as its files in order of their names. */
export function findCycles(imports: Imports): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const { target, inside, typeOnly } of imports.get(file) ?? []) {
      if (!inside || typeOnly || !imports.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const cycle = open.splice(open.indexOf(file));
    if (cycle.length > 1) cycles.push(cycle.sort());
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** Returns the circles of rooms: arrows of the table that lead back to where they began. */
export function findCircles(rooms: readonly Room[]): string[][] {
  const file = (name: string) => ({ target: name, inside: true, typeOnly: false });
  return findCycles(new Map(rooms.map(room => [room.name, room.rooms.map(file)])));
}
