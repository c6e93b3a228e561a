const lineWidth = 110;

/** Writes JSON as the formatter does: a list or record of plain values, or of pairs, on one line where it fits. */
export function format(value: unknown, indent = "", taken = indent.length): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close, pad] = isList ? ["[", "]", ""] : ["{", "}", " "];
  const keys = isList ? value.map(() => "") : Object.keys(value).map(key => `${JSON.stringify(key)}: `);
  const members = Object.values(value);
  if (members.length === 0) return open + close;
  const deeper = `${indent}  `;
  const parts = members.map((member, i) => keys[i] + format(member, deeper, deeper.length + keys[i]!.length));
  const line = `${open}${pad}${parts.join(", ")}${pad}${close}`;
  const isPlain = members.every(member => typeof member !== "object" || member === null);
  if ((isPlain || Array.isArray(members[0])) && taken + line.length < lineWidth) return line;
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}\n${indent}${close}`;
}
