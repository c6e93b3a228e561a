import { StringDecoder } from "node:string_decoder";

/** Publishes a message that belongs to one request. */
export type Publish = (type: string, content: object, metadata?: object) => void;

type StreamName = "stdout" | "stderr";

/** Standard output and error of the process, on the way to the notebook. */
export interface Streams {
  /** Sends what is written from now on as output of a request, also after that has ended. */
  attach(publish: Publish): void;
  /** Sends what has been written so far. To be called before anything else is published. */
  flush(): void;
}

const FLUSH_LENGTH = 65_536;
const MAX_MESSAGE_LENGTH = 1_000_000;
const FLUSH_INTERVAL_MS = 50;

/**
 * Takes over the process's standard streams. Texts that are written close after one another go out as one message:
 * the first at the end of its turn, later ones some milliseconds apart, large ones at once.
 */
export function takeStreams(): Streams {
  let publish: Publish | undefined;
  let name: StreamName = "stdout";
  let parts: string[] = [];
  let size = 0;
  let scheduled = false;
  let flushed = 0;

  function flush(): void {
    if (size === 0) return;
    const text = parts.join("");
    parts = [];
    size = 0;
    flushed = performance.now();
    for (const part of split(text)) publish?.("stream", { name, text: part });
  }

  function scheduleFlush(): void {
    if (scheduled) return;
    scheduled = true;
    const fire = () => {
      scheduled = false;
      flush();
    };
    const wait = flushed + FLUSH_INTERVAL_MS - performance.now();
    if (wait > 0) setTimeout(fire, wait);
    else setImmediate(fire);
  }

  function write(stream: StreamName, text: string): void {
    if (stream !== name) flush();
    name = stream;
    parts.push(text);
    size += text.length;
    if (size >= FLUSH_LENGTH) flush();
    else if (size > 0) scheduleFlush();
  }

  function redirect(stream: StreamName): void {
    const decoder = new StringDecoder("utf8");
    type Written = (error?: Error | null) => void;
    process[stream].write = (
      chunk: string | Uint8Array,
      encoding?: BufferEncoding | Written,
      callback?: Written,
    ) => {
      write(stream, typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk)));
      const written = typeof encoding === "function" ? encoding : callback;
      if (written) process.nextTick(written, null);
      return true;
    };
  }

  return {
    attach(next) {
      flush();
      if (!publish) for (const stream of ["stdout", "stderr"] as const) redirect(stream);
      publish = next;
    },
    flush,
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
