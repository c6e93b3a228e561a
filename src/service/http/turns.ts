import { nextTurn } from "#host/timers";

/** Those who wait, by user; the user whose turn is next comes first. */
const waiting = new Map<number, (() => void)[]>();

/**
 * Waits for a turn at work that keeps the thread busy for some milliseconds. Turns are taken one after another, and what
 * came in from outside is seen to in between, so that many such requests at once make no other request wait for all.
 * They go round the users, so that one who has many requests makes no other user wait for all of them.
 */
export function takeTurn(userId = 0): Promise<void> {
  return new Promise(resolve => {
    const mine = waiting.get(userId);
    if (mine) mine.push(resolve);
    else waiting.set(userId, [resolve]);
    if (!mine && waiting.size === 1) nextTurn(next);
  });
}

function next(): void {
  for (const [userId, mine] of waiting) {
    waiting.delete(userId);
    mine.shift()!();
    if (mine.length > 0) waiting.set(userId, mine);
    break;
  }
  if (waiting.size > 0) nextTurn(next);
}
