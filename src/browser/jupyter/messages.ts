import type { Channel, Messages, Request } from "../../kernels/jupyter/messages.ts";

/** A message of the Jupyter protocol, as it is after it has been read and before it is written. */
export interface JupyterMessage {
  channel: Channel | "iopub";
  header: Record<string, unknown>;
  parent_header: Record<string, unknown>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
  buffers: unknown[];
}

const VERSION = "5.4";

/** Returns the request that a message of a front end is. */
export const requestOf = ({ header, content }: JupyterMessage): Request => ({
  type: String(header.msg_type),
  content,
  identities: [],
  header,
});

/** Writes a kernel's messages, each in the session of the request that it follows from, and sends them. */
export function openMessages(send: (message: JupyterMessage) => void): Messages {
  function post(
    channel: JupyterMessage["channel"],
    type: string,
    content: object,
    { header }: Request,
  ): void {
    send({
      channel,
      header: {
        msg_id: crypto.randomUUID(),
        session: header.session,
        username: "kernel",
        date: new Date().toISOString(),
        msg_type: type,
        version: VERSION,
      },
      parent_header: header,
      metadata: {},
      content: content as JupyterMessage["content"],
      buffers: [],
    });
  }
  return {
    reply: async (channel, type, content, parent) => post(channel, type, content, parent),
    publish(type, content, parent, sent) {
      if (parent) post("iopub", type, content, parent);
      sent?.();
    },
  };
}
