import type { Imports } from "./imports.ts";
import { type Module, moduleOf } from "./modules.ts";

/** Larger circles of files than this are refused. */
const LARGEST_CIRCLE = 3;
const FACE = "index.ts";

/**
 * Returns a sentence for each import that the table does not allow, and for each row or permission without a use. Of
 * modules with a face, others may import only that, and the faces of folders in it.
 */
export function findForbidden(
  imports: Imports,
  modules: readonly Module[],
  faces: ReadonlySet<string>,
): string[] {
  const rows = new Map(modules.map(module => [module.name, module]));
  const found = new Set<string>();
  const used = new Set<string>();
  for (const [file, targets] of imports) {
    const name = moduleOf(file, modules);
    const row = rows.get(name);
    used.add(name);
    if (!row) found.add(`${name} is in no row of the table of modules, and may import nothing until it is.`);
    for (const { target, inside } of targets) {
      if (inside) {
        const wanted = moduleOf(target, modules);
        if (wanted === name) continue;
        used.add(`${name} module ${wanted}`);
        if (!row?.modules.includes(wanted) && !row?.modules.includes("*"))
          found.add(`${file} imports ${target}: ${name} may not import ${wanted}.`);
        const isFace = target.endsWith(`/${FACE}`) && faces.has(target.slice(0, -FACE.length - 1));
        if (!isFace && faces.has(wanted))
          found.add(`${file} imports ${target}: other modules import ${wanted}/${FACE} alone.`);
      } else if (target === "node") {
        const permission = row?.node.find(
          place => place === "yes" || `${file}/`.startsWith(`${name}/${place}/`),
        );
        used.add(`${name} node ${permission}`);
        if (!permission) found.add(`${file} imports Node's modules, which ${name} may not.`);
      } else {
        used.add(`${name} package ${target}`);
        if (!row?.packages.includes(target)) found.add(`${file} imports ${target}, which ${name} may not.`);
      }
    }
  }
  for (const { name, ...row } of modules) {
    if (!used.has(name)) found.add(`${name} has a row and no files.`);
    const permissions = { module: row.modules, package: row.packages, node: row.node };
    for (const [kind, names] of Object.entries(permissions))
      for (const wanted of names)
        if (wanted !== "*" && !used.has(`${name} ${kind} ${wanted}`))
          found.add(
            `${name} does not use its permission of ${kind === "node" ? `Node (${wanted})` : wanted}.`,
          );
  }
  return [...found];
}

/** Returns the circles in which files import each other, types included, each as its files in order of their names. */
export function findCircles(imports: Imports): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const { target, inside } of imports.get(file) ?? []) {
      if (!inside || !imports.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** Returns the circles of files that are larger than three. */
export function findLargeCircles(imports: Imports): string[][] {
  return findCircles(imports).filter(({ length }) => length > LARGEST_CIRCLE);
}

/** Returns the circles of modules: rows of the table that lead back to where they began. */
export function findModuleCircles(modules: readonly Module[]): string[][] {
  const target = (name: string) => ({ target: name, inside: true });
  return findCircles(new Map(modules.map(module => [module.name, module.modules.map(target)])));
}

/** Returns a sentence for each large circle that is not listed as it is, and for each listed one that is gone. */
export function compareCircles(
  found: readonly (readonly string[])[],
  listed: readonly (readonly string[])[],
): string[] {
  const as = (circles: readonly (readonly string[])[]) => new Set(circles.map(files => files.join(", ")));
  const [now, before] = [as(found), as(listed)];
  return [
    ...[...now.difference(before)].map(files => `These files import each other: ${files}.`),
    ...[...before.difference(now)].map(
      files => `circles.json lists what is no circle of more than ${LARGEST_CIRCLE} files: ${files}.`,
    ),
  ];
}

/** Returns whether circles have come down, or only changed their files' names: no more of them, and no more files in them. */
export function areNoLarger(
  found: readonly (readonly string[])[],
  listed: readonly (readonly string[])[],
): boolean {
  return found.length <= listed.length && found.flat().length <= listed.flat().length;
}
