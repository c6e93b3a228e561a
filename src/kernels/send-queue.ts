/**
 * Spreads sends over turns of the event loop, in order. A kernel's socket takes some hundred sends and then none
 * until the next turn, when it says that it is busy by throwing; a send that meets this is tried again.
 */
export function createSendQueue(perTurn: number, pauseMs = 0): (send: () => void) => void {
  const waiting: (() => void)[] = [];
  let left = perTurn;
  let scheduled = false;

  function drain(): void {
    while (left > 0 && waiting.length > 0) {
      left -= 1;
      if (isBusy(waiting[0]!)) left = 0;
      else waiting.shift();
    }
    if (scheduled) return;
    scheduled = true;
    setTimeout(nextTurn, pauseMs);
  }

  function nextTurn(): void {
    scheduled = false;
    left = perTurn;
    if (waiting.length > 0) drain();
  }

  return send => {
    waiting.push(send);
    drain();
  };
}

function isBusy(send: () => void): boolean {
  try {
    send();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EBUSY";
  }
}
