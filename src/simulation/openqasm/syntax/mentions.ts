/** Whether a test holds for a part of the tree of a program, which may be as deep as the program is long. */
export function someNode(tree: unknown, test: (node: object) => boolean): boolean {
  const open = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    if (test(node)) return true;
    if (Array.isArray(node) || !(Symbol.iterator in node)) {
      for (const part of Object.values(node)) if (typeof part === "object") open.push(part);
    } else for (const part of node as Iterable<unknown>) if (someNode(part, test)) return true;
  }
  return false;
}

/** Whether a part of the tree of a program mentions a name, as a value or by calling it. */
export const mentions = (tree: unknown, name: string): boolean =>
  someNode(tree, node => (node as { name?: unknown }).name === name);
