/** A message of the Jupyter protocol, as far as a client reads it. */
export interface Message {
  type: string;
  /** Id of the request that this message answers. */
  parent: string | undefined;
  /** Content of the message; undefined if it is too large for a client. */
  content: Record<string, unknown> | undefined;
}
