import { helpWithTasks, type ThreadData } from "../../simulation/statevector/thread-loop.ts";

/** The script of a web worker that helps a simulator, whose memory it shares. */
addEventListener("message", ({ data }: MessageEvent<ThreadData>) => helpWithTasks(data), { once: true });
