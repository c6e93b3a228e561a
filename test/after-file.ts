const tasks: (() => unknown)[] = [];

/**
 * Does something once the test file that runs has ended. A worker imports what its files share only once, so that a hook
 * there would belong to the first of them alone.
 */
export const afterFile = (task: () => unknown): void => void tasks.push(task);

/** Does it, the last first. */
export async function endFile(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task();
}
