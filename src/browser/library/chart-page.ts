import { KetbookError } from "../../client/errors.ts";

/** Throws a `KetbookError`: the page saves its whole notebook as HTML instead. */
export function chartPage(): never {
  throw new KetbookError(
    "A chart's own page is not made in a browser: save the notebook as HTML, or take toSVG().",
  );
}
