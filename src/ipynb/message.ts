/** A message of the Jupyter protocol, as far as a client reads it. */
export interface Message {
  type: string;
  /** Id of the request that this message answers. */
  parent: string | undefined;
  /** What it says; undefined when it is larger than a client will read. */
  content: Record<string, unknown> | undefined;
}
