import { performance } from "node:perf_hooks";

/** Milliseconds of one turn of the event loop for what came in by connections. */
const TURN_MS = 20;
/** Waiting work that is taken up in one turn, if there is time. */
const MAX_TAKEN = 64;
/** The event loop takes on one connection a turn: after so many in turns on end, more are likely to wait. */
const CROWD = 16;
/** While more connections wait, work is taken up in one of so many turns, so that about half of the time is theirs. */
const CROWDED_TURNS = 4;
/** Of work that waits, so much is taken up of known clients for one of others. */
const KNOWN_SHARE = 4;

/** Divides what came in among the turns of the event loop. */
export interface TurnQueue {
  /** Whether this turn has time for more, and nothing waits. */
  hasTime(): boolean;
  /** Runs a function in a later turn, after those that wait already; of known clients mostly before those of others. */
  wait(run: () => void, isKnown: boolean): void;
  /** Notes that a client has connected. */
  connected(): void;
}

/** Makes a queue for turns of the event loop. */
export function createTurnQueue(): TurnQueue {
  const known: (() => void)[] = [];
  const others: (() => void)[] = [];
  const size = () => known.length + others.length;
  let turn = -1;
  let started = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let isTakingUp = false;
  /** The last turn in which a client connected, and in how many on end. */
  let crowd = { turn: -1, turns: 0 };

  const loopCount = () => performance.nodeTiming.uvMetricsInfo.loopCount;
  const isCrowded = () => crowd.turns >= CROWD && loopCount() - crowd.turn <= 1;

  function isOver(): boolean {
    const now = performance.now();
    if (now - started < TURN_MS) return false;
    const current = loopCount();
    if (current === turn) return true;
    turn = current;
    started = now;
    return false;
  }

  /** Takes up each in an immediate of its own, after which all that it has brought about is done. */
  function takeUp(): void {
    isTakingUp = true;
    const count = isCrowded() ? Number(loopCount() % CROWDED_TURNS === 0) : Math.min(size(), MAX_TAKEN);
    for (let left = count; left > 0; left -= 1) setImmediate(takeNext);
    setImmediate(() => {
      isTakingUp = false;
      if (size() > 0) takeUp();
    });
  }

  function takeNext(): void {
    if (isOver()) return;
    taken += 1;
    const [first, second] = taken % (KNOWN_SHARE + 1) === 0 ? [others, known] : [known, others];
    (first.shift() ?? second.shift())?.();
  }

  return {
    hasTime: () => size() === 0 && !isCrowded() && !isOver(),
    wait(run, isKnown) {
      (isKnown ? known : others).push(run);
      if (!isTakingUp) takeUp();
    },
    connected() {
      const current = loopCount();
      if (current !== crowd.turn)
        crowd = { turn: current, turns: current === crowd.turn + 1 ? crowd.turns + 1 : 1 };
    },
  };
}
