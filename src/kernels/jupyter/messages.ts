/** The channels on which requests come. */
export type Channel = "shell" | "control" | "stdin";

export interface Request {
  type: string;
  content: Record<string, unknown>;
  /** Recipient of the answer, for transports that need it. */
  identities: readonly Uint8Array[];
  header: Record<string, unknown>;
}

/** Sends a kernel's messages to its front ends. */
export interface Messages {
  reply(channel: Channel, type: string, content: object, parent: Request): Promise<void>;
  /** Publishes a message to all front ends; `sent` hears when it has left. */
  publish(
    type: string,
    content: object,
    parent: Request | undefined,
    sent?: () => void,
    metadata?: object,
  ): void;
}
