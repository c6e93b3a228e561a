import { sha256 } from "#host/digest";

/**
 * Derives the seed of a program of a batch from the job's. That of program 0 is the job's own seed; that of program k
 * is the first 53 bits of the SHA-256 of `<seed>:<k>`, as a whole number. So each program draws from a random stream
 * of its own, which is the same wherever and whenever it runs, also alone under that seed.
 */
export function programSeed(jobSeed: number, index: number): number {
  if (index === 0) return jobSeed;
  const { buffer, byteOffset } = sha256(`${jobSeed}:${index}`);
  return Number(new DataView(buffer, byteOffset).getBigUint64(0) >> 11n);
}
