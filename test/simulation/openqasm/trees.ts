/** Returns a tree without the places of its nodes, for comparisons. */
export function withoutPlaces(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPlaces);
  if (typeof node === "bigint") return `${node}n`;
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== "at" && key !== "end" && key !== "depth")
      .map(([key, value]) => [key, withoutPlaces(value)]),
  );
}
