import { clip, visible } from "./text.ts";

const maxInterpolated = 4000;

const entities: { [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Markup that is known to be safe. Only `html` and `raw` make it. */
export class SafeHtml {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Values of the `html` template. `null`, `undefined` and `false` leave nothing. */
export type HtmlValue = SafeHtml | string | number | bigint | false | null | undefined | readonly HtmlValue[];

function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof SafeHtml) return value.toString();
  if (Array.isArray(value)) return value.map(markupOf).join("");
  const text = visible(clip(String(value), maxInterpolated));
  return text.replace(/[&<>"'`]/g, character => entities[character]!);
}

/** A template whose interpolated strings are escaped and bounded; arrays are joined, safe markup is kept. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(markupOf)));
}

/** Takes markup as it is. Only for markup that we wrote ourselves. */
export function raw(markup: string): SafeHtml {
  return new SafeHtml(markup);
}
