/** A function like the web's `fetch`, as far as the client needs it. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** Arguments of such a function in addition to the address. */
export interface FetchRequest {
  /** `GET`, `POST` or `DELETE`. */
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** JSON, or null for none. */
  body: string | null;
  /** Redirects are answers like any other, and not followed. */
  redirect: "manual";
  /** Aborts when the request is given up. */
  signal: AbortSignal;
}

/** Response of such a function. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the answer. */
  readonly headers: {
    /** A header's value by its name; null where it is missing. */
    get(name: string): string | null;
  };
  /** The body in pieces; null where there is none. */
  readonly body: FetchBody | null;
}

/** A body that is read piece by piece, such as a web stream. */
export interface FetchBody {
  /** Begins to read. */
  getReader(): {
    /** The next piece, or that there is none. */
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    /** Cancels what was not read. */
    cancel(): Promise<unknown>;
  };
}
