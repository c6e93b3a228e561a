import type { Displayable } from "../display/index.ts";
import { plainText } from "./bundle.ts";
import { frontEnd } from "./detect.ts";
import { displayOn } from "./show.ts";
import { eraseLine, rewriteLine } from "./terminal.ts";

type LiveView = Displayable & {
  /** The form for one line of a terminal; without it, the first line of the text form. */
  line?: string;
};

export type Live = ReturnType<typeof live>;

interface LiveOptions {
  /** Smallest time between two updates, in milliseconds. Default 250. */
  interval?: number;
}

interface Surface {
  draw(view: LiveView): void;
  end(final?: Displayable): void;
}

/**
 * Opens a live display: one output that changes in place in a notebook, one line that rewrites itself in a
 * terminal, nothing anywhere else.
 */
export function live({ interval = 250 }: LiveOptions = {}) {
  const surface = openSurface();
  let newest: LiveView | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = surface === undefined;

  function draw(): void {
    timer = undefined;
    if (newest === undefined) return;
    const view = newest;
    newest = undefined;
    timer = setTimeout(draw, interval);
    surface?.draw(view);
  }

  /** Ends the display with a final state, or leaves nothing behind when there is none. */
  function done(final?: Displayable): void {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    surface?.end(final);
  }

  return {
    /** Shows the newest state. States that come faster than the interval are skipped, the last one never. */
    update(view: LiveView) {
      if (ended) return;
      newest = view;
      if (timer === undefined) draw();
    },
    done,
    clear: () => done(),
  };
}

function openSurface(): Surface | undefined {
  const target = frontEnd();
  if (target.canUpdate) return notebookSurface();
  return target.kind === "terminal" ? terminalSurface() : undefined;
}

function notebookSurface(): Surface {
  const target = frontEnd();
  const id = crypto.randomUUID();
  let update = false;
  return {
    draw(view) {
      displayOn(target, view, { id, update });
      update = true;
    },
    end(final) {
      if (final) displayOn(target, final, { id, update });
      else if (update)
        target.display({ "text/html": "", "text/plain": "" }, { id, update, state: "cleared" });
    },
  };
}

function terminalSurface(): Surface {
  let drawn = false;
  return {
    draw(view) {
      rewriteLine(view.line ?? plainText(view));
      drawn = true;
    },
    end() {
      if (drawn) eraseLine();
    },
  };
}
