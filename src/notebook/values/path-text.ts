/** Returns the place of a value in a record as it is written in a program: `edges.gateError.cx[0].source`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map(key => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}
