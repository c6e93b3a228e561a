export { helpWithTasks, type ThreadData } from "./thread-loop.ts";
