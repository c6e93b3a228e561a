import { nextTurn } from "#host/timers";

let last = Promise.resolve();

/**
 * Waits for a turn at work that keeps the thread busy for some milliseconds. Turns are taken one after another, and what
 * came in from outside is seen to in between, so that many such requests at once make no other request wait for all.
 */
export function takeTurn(): Promise<void> {
  last = last.then(() => new Promise(resolve => nextTurn(resolve)));
  return last;
}
