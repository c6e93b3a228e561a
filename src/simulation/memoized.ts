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
