import type { Publish } from "../../kernels/streams.ts";

const FLUSH_LENGTH = 65_536;
const FLUSH_INTERVAL_MS = 50;

/** Buffers a cell's output on its way to the page. */
export interface StreamBuffer {
  write(stream: "stdout" | "stderr", text: string): void;
  /** Sends what has been written so far. To be called before anything else is published. */
  flush(): void;
}

/** Gathers what is written close after one another into one message. */
export function openStreams(publish: Publish): StreamBuffer {
  let name: "stdout" | "stderr" = "stdout";
  let parts: string[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (size === 0) return;
    const text = parts.join("");
    parts = [];
    size = 0;
    publish("stream", { name, text });
  }

  return {
    flush,
    write(stream, text) {
      if (stream !== name) flush();
      name = stream;
      parts.push(text);
      size += text.length;
      if (size >= FLUSH_LENGTH) flush();
      else timer ??= setTimeout(flush, FLUSH_INTERVAL_MS);
    },
  };
}
