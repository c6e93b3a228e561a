import type { Caller } from "./caller.ts";

/** Whether the caller may run jobs on the device. */
export function mayUse(caller: Pick<Caller, "allow">, deviceQrn: string): boolean {
  return caller.allow?.some(pattern => matchesPattern(pattern, deviceQrn)) ?? true;
}

/** Whether a string is as a pattern says, in which `*` stands for any characters. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (!text.startsWith(head)) return false;
  if (rest.length === 0) return text === head;
  let from = head.length;
  const tail = rest.pop() ?? "";
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}
