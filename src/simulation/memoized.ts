/** Returns a function that computes its result once for each object, and keeps it as long as the object. */
export function memoized<K extends WeakKey, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { readonly value: V }>();
  return key => {
    let result = results.get(key);
    if (!result) {
      result = { value: compute(key) };
      results.set(key, result);
    }
    return result.value;
  };
}

/** Returns what a map holds for a key; made first where it holds nothing. */
export function remembered<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
