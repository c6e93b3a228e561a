/** A two-way channel between cells and a front end. */
export interface Comm {
  readonly id: string;
  send(data: object): void;
  /** Has data of the front end heard. */
  on(hear: (data: Record<string, unknown>) => void): void;
  close(): void;
}

export interface Comms {
  /** Opens a channel to what a front end has under a name. */
  open(target: string, data?: object, metadata?: object): Comm;
  /** Takes the channels that a front end opens to a name. */
  register(target: string, opened: (comm: Comm, data: Record<string, unknown>) => void): void;
}

type Hear = (data: Record<string, unknown>) => void;

/** Opens channels. Returns them, and what takes the messages of the front end. */
export function openComms(publish: (type: string, content: object, metadata?: object) => void): {
  comms: Comms;
  take(type: string, content: Record<string, unknown>): void;
} {
  const heard = new Map<string, Hear>();
  const targets = new Map<string, (comm: Comm, data: Record<string, unknown>) => void>();

  function commOf(id: string): Comm {
    heard.set(id, () => undefined);
    return {
      id,
      send: data => publish("comm_msg", { comm_id: id, data }),
      on: hear => void heard.set(id, hear),
      close() {
        if (heard.delete(id)) publish("comm_close", { comm_id: id, data: {} });
      },
    };
  }

  return {
    comms: {
      open(target, data = {}, metadata = {}) {
        const comm = commOf(crypto.randomUUID());
        publish("comm_open", { comm_id: comm.id, target_name: target, data }, metadata);
        return comm;
      },
      register: (target, opened) => void targets.set(target, opened),
    },
    take(type, content) {
      const id = String(content.comm_id);
      const data = Object(content.data) as Record<string, unknown>;
      const opened = targets.get(String(content.target_name));
      if (type === "comm_msg") heard.get(id)?.(data);
      else if (type === "comm_close") heard.delete(id);
      else if (opened) opened(commOf(id), data);
      else publish("comm_close", { comm_id: id, data: {} });
    },
  };
}
