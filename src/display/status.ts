import type { RichCell } from "./cell.ts";
import { html } from "./html.ts";
import { type Tone, tone } from "./palette.ts";
import { singleLine } from "./text.ts";

interface Look {
  glyph: string;
  tone: Tone;
}

const looks: { readonly [status: string]: Look | undefined } = {
  __proto__: null as never,
  INITIALIZING: { glyph: "◌", tone: "idle" },
  QUEUED: { glyph: "◔", tone: "idle" },
  VALIDATING: { glyph: "◑", tone: "active" },
  PENDING: { glyph: "▸", tone: "active" },
  RUNNING: { glyph: "▸", tone: "active" },
  LOADING: { glyph: "▸", tone: "active" },
  HOLD: { glyph: "‖", tone: "idle" },
  CANCELLING: { glyph: "■", tone: "idle" },
  CANCELLED: { glyph: "■", tone: "idle" },
  COMPLETED: { glyph: "✓", tone: "good" },
  FAILED: { glyph: "✗", tone: "bad" },
  ONLINE: { glyph: "●", tone: "good" },
  UNAVAILABLE: { glyph: "◐", tone: "bad" },
  OFFLINE: { glyph: "○", tone: "idle" },
  RETIRED: { glyph: "□", tone: "idle" },
  OPEN: { glyph: "○", tone: "active" },
  CLOSED: { glyph: "●", tone: "idle" },
};

/** The glyph and tone of a status of a job, device or group; a question mark for one that nobody documented. */
export function statusStyle(status: string): Look {
  return looks[status] ?? { glyph: "?", tone: "idle" };
}

/** Shows a status as a coloured glyph and its word, so that colour never stands alone. */
export function statusCell(status: string): RichCell {
  const look = statusStyle(status);
  const word = status || "UNKNOWN";
  return {
    html: html`<b style=color:${tone[look.tone]}>${look.glyph}</b>\u00a0${word}`,
    text: `${look.glyph} ${singleLine(word, 40)}`,
  };
}

/** Shows a status that most rows have as its glyph only, whose word is its title. */
export function briefStatus(status: string, usual: string): RichCell {
  if (status !== usual) return statusCell(status);
  const { glyph, tone: name } = statusStyle(status);
  return { html: html`<b style=color:${tone[name]} title="${status}">${glyph}</b>`, text: glyph };
}
