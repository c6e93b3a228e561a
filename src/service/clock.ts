/** Smallest step back of the system's clock that is reported. */
const MIN_STEP_MS = 1000;

/**
 * Makes a clock of milliseconds since 1970 that never runs backwards: where the system's clock is set back, it
 * continues from where it was, so that as much time passes as did pass. It follows the system's clock forwards, which
 * also jumps when the machine has slept. `onSetBack` is called with the milliseconds that it was set back by.
 */
export function steadyClock(
  wall: () => number = Date.now,
  onSetBack: (milliseconds: number) => void = () => {},
  elapsed: () => number = () => performance.now(),
): () => number {
  let offset = wall() - elapsed();
  let known = 0;
  return () => {
    const lead = offset + elapsed() - wall();
    if (lead < 0) offset -= lead;
    if (lead > known + MIN_STEP_MS) onSetBack(lead - known);
    known = Math.max(0, lead);
    return Math.floor(offset + elapsed());
  };
}
