import { helpWithTasks, type ThreadData } from "../../simulation/statevector/index.ts";

/** The script of a web worker that helps a simulator, whose memory it shares. */
addEventListener("message", ({ data }: MessageEvent<ThreadData>) => helpWithTasks(data), { once: true });
