const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a finite number, which services also write as a string such as `"130.0"` or `"0E-33"`; `null` for others. */
export function parseNumber(value: unknown): number | null {
  const number =
    typeof value === "string" && value.length <= 400 && decimal.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
