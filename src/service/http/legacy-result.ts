import type { RuntimeJob } from "../../contract/job.ts";
import type { ResultData } from "../../contract/result.ts";

/**
 * Writes the results of a job in the form of version 1: everything of one program, as it is stored, and the counts of
 * several. No more than a piece, or the line of a program of several, is in memory at a time.
 */
export async function* legacyResultPieces(
  { jobQrn, status, cost, timeStamps }: RuntimeJob,
  { jobId, programs }: { jobId: string; programs: number },
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  const head = JSON.stringify({ [jobId]: jobQrn, status, cost, timeStamps }).slice(0, -1);
  if (programs > 1) {
    let separator = `${head},"measurementCounts":[`;
    for await (const line of linesOf(pieces)) {
      const { measurementCounts } = JSON.parse(line) as ResultData;
      yield separator + JSON.stringify(measurementCounts);
      separator = ",";
    }
    yield "]}";
    return;
  }
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst ? `${head},${piece.slice(1)}` : piece;
    isFirst = false;
  }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const [first, ...others] = piece.split("\n");
    rest += first!;
    for (const line of others) {
      yield rest;
      rest = line;
    }
  }
  yield rest;
}
