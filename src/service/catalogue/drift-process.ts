import { philox } from "../../simulation/sampling/philox.ts";

/** Days over which a drifting figure forgets what it was. */
const MEMORY_DAYS = 6;
/** Days that are looked back at; what lies before them weighs less than 0.1 %. */
const LOOK_BACK_DAYS = 42;

/** Random numbers of a device's drift: each of a figure, of a qubit or pair, and of a day. */
export interface DriftProcess {
  /** Returns a slow drift with mean 0 and standard deviation 1, which forgets what it was within a week. */
  drift(figure: number, place: number, day: number): number;
  /**
   * Returns the strength, 0 to 1, of the latest episode that lasts at a day, or 0: episodes begin with a probability a
   * day and last for 1 to `maxDays` days.
   */
  episode(figure: number, place: number, day: number, probability: number, maxDays: number): number;
}

/** Returns the drift of a device: the same for the same device. */
export function driftProcess(deviceQrn: string, hasEpisodes: boolean): DriftProcess {
  let hash = 0x811c9dc5;
  for (const character of deviceQrn) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  const random = philox(hash);
  const uniform = (place: number, day: number, stream: number) => random.uniform(place, day >>> 0, stream);
  const gaussian = (figure: number, place: number, day: number) => {
    const [u, v] = [uniform(place, day, 5 * figure), uniform(place, day, 5 * figure + 1)];
    return Math.sqrt(-2 * Math.log1p(-u)) * Math.cos(2 * Math.PI * v);
  };
  const kept = Math.exp(-1 / MEMORY_DAYS);
  const scale = Math.sqrt(1 - kept ** 2);
  return {
    drift(figure, place, day) {
      let sum = 0;
      for (let back = LOOK_BACK_DAYS; back >= 0; back--)
        sum = kept * sum + scale * gaussian(figure, place, day - back);
      return sum;
    },
    episode(figure, place, day, probability, maxDays) {
      for (let back = 0; hasEpisodes && back < maxDays; back++) {
        if (uniform(place, day - back, 5 * figure + 2) >= probability) continue;
        const length = 1 + Math.floor(maxDays * uniform(place, day - back, 5 * figure + 3));
        if (back < length) return 0.05 + 0.95 * uniform(place, day - back, 5 * figure + 4);
      }
      return 0;
    },
  };
}
