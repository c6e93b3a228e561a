/** Whether a part of the tree of a program mentions a name, as a value or by calling it. */
export function mentions(node: unknown, name: string): boolean {
  if (Array.isArray(node)) return node.some(item => mentions(item, name));
  if (typeof node !== "object" || node === null) return false;
  return Object.entries(node).some(([key, part]) =>
    key === "name" && part === name ? true : typeof part === "object" && mentions(part, name),
  );
}
