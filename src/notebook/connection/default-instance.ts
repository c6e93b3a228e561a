import type { Ketbook } from "../ketbook.ts";

let make: (() => Ketbook) | undefined;
let current: Ketbook | undefined;

/** Says how the default instance is made when there is none yet. */
export function makeDefaultBy(maker: () => Ketbook): void {
  make = maker;
}

/** The instance whose helpers a notebook imports. */
export function defaultInstance(): Ketbook {
  current ??= make!();
  return current;
}

/** Puts another instance in its place, for what is made from now on. */
export function setDefaultInstance(instance: Ketbook): void {
  current = instance;
}
