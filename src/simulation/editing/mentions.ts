/** Whether plain data hold an object that passes a test. */
export function mentions(
  data: unknown,
  test: (value: { readonly kind: string; readonly [key: string]: unknown }) => boolean,
  seen = new Set<unknown>(),
): boolean {
  if (typeof data !== "object" || data === null || seen.has(data)) return false;
  seen.add(data);
  if ("kind" in data && test(data as never)) return true;
  return Object.values(data).some(inner => mentions(inner, test, seen));
}
