import { workerData } from "node:worker_threads";
import { helpWithTasks } from "./thread-loop.ts";

helpWithTasks(workerData);
