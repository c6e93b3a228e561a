import type { Publish } from "../front-end.ts";

export type StreamName = "stdout" | "stderr";

const FLUSH_LENGTH = 65_536;
const MAX_MESSAGE_LENGTH = 1_000_000;
const FLUSH_INTERVAL_MS = 50;

/**
 * Gathers texts that are written close after one another into one message: the first goes out at the end of its turn, later
 * ones some milliseconds apart, large ones at once, and in a long turn the earlier ones with the next. `defer` calls a function
 * after some time, at 0 when the turn has ended.
 */
export function openStreams(publish: Publish, defer: (flush: () => void, ms: number) => void) {
  let name: StreamName = "stdout";
  let written = "";
  let flushed = 0;
  let waitingSince = 0;

  /** Sends what has been written so far. To be called before anything else is published. */
  function flush(): void {
    if (written === "") return;
    const text = written;
    written = "";
    flushed = performance.now();
    for (const part of split(text)) publish("stream", { name, text: part });
  }

  return {
    flush,
    write(stream: StreamName, text: string) {
      if (stream !== name) flush();
      name = stream;
      const isFirst = written === "";
      const now = performance.now();
      if (isFirst) waitingSince = now;
      written += text;
      if (written.length >= FLUSH_LENGTH || now >= waitingSince + FLUSH_INTERVAL_MS) flush();
      else if (isFirst) defer(flush, Math.max(0, flushed + FLUSH_INTERVAL_MS - now));
    },
  };
}

function* split(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + MAX_MESSAGE_LENGTH, text.length);
    if (end < text.length && isLead(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

const isLead = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
