import { SimulationError } from "../errors.ts";
import type { ExecutionState } from "../interpreter/execution-state.ts";
import type { LinkedProgram } from "../interpreter/instruction.ts";
import type { Meter } from "../interpreter/meter.ts";
import { FINISHED, run } from "../interpreter/run.ts";

/** A course that can wait while others run. */
export interface WaitingCourse extends ExecutionState, Disposable {
  /** Bytes of its state. */
  readonly bytes: number;
}

/** What comes next for some of the shots of a course that has stopped, or for a share of its probability. */
export interface Continuation<C> {
  /** Null in an exact run. */
  readonly shots: Uint32Array | null;
  /** Returns the course that goes on so: the one that has stopped where nothing else goes on from it, or a copy. */
  resume(from: C, isLast: boolean): C;
}

/** What a run of courses works with. */
export interface CourseRun<C> {
  /** The shots that run; null for exact probabilities. */
  readonly shots: Uint32Array | null;
  readonly meter: Meter;
  /** Most bytes of the states that wait; courses beyond that are run again from the start. Default: no limit. */
  readonly maxBytes?: number;
  /** Most courses of an exact run. */
  readonly maxCourses: number;
  /** Makes the course with which the program begins for some shots; again for the same shots, it takes the same way. */
  begin(shots: Uint32Array | null): C;
  /** Returns how a course goes on that has stopped at what {@link run} has answered; none where it is as good as impossible. */
  split(course: C, stop: number): Continuation<C>[];
  /** Is called at the end of each course; `isOnly` says that there is no other. */
  onEnd(course: C, isOnly: boolean): void;
}

/** The ways that a course has taken where there were several, the latest first. */
interface Path {
  readonly taken: number;
  readonly before: Path | null;
}

/** Continuations that wait: of a course, or without one from the start of the program along a path. */
type Waiting<C> =
  | { readonly from: C; readonly path: Path | null; readonly ways: { place: number; way: Continuation<C> }[] }
  | { readonly from: null; readonly path: Path | null; readonly shots: Uint32Array | null };

/**
 * Runs a program: one course for all shots, which part where they differ, so that each distinct course runs once from
 * there on. Courses that wait are kept for as long as there is room; the others begin anew when it is their turn.
 */
export function runCourses<C extends WaitingCourse>(program: LinkedProgram, options: CourseRun<C>): void {
  const { shots, meter, maxBytes = Number.POSITIVE_INFINITY, maxCourses } = options;
  const waiting: Waiting<C>[] = [{ from: null, path: null, shots }];
  using _leftovers = {
    [Symbol.dispose]() {
      for (const { from } of waiting) from?.[Symbol.dispose]();
    },
  };
  let waitingBytes = 0;
  let courses = 1;
  let ended = 0;
  for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
    let course: C;
    let path = next.path;
    let replay: number[] = [];
    if ("ways" in next) {
      const { place, way } = next.ways.pop()!;
      const isLast = next.ways.length === 0;
      if (isLast) {
        waiting.pop();
        waitingBytes -= next.from.bytes;
      }
      course = way.resume(next.from, isLast);
      path = { taken: place, before: path };
    } else {
      waiting.pop();
      course = options.begin(next.shots);
      if (!next.shots) replay = placesOf(path);
      path = null;
    }
    using _course = { [Symbol.dispose]: () => course[Symbol.dispose]() };
    let isLost = false;
    for (let stop = run(course, program, meter); stop !== FINISHED; stop = run(course, program, meter)) {
      const ways = options.split(course, stop);
      isLost = ways.length === 0;
      if (isLost) break;
      if (ways.length === 1) {
        course = ways[0]!.resume(course, true);
        continue;
      }
      const known = replay.shift();
      if (known !== undefined) course = ways[known]!.resume(course, true);
      else {
        courses += ways.length - 1;
        if (!shots && courses > maxCourses) throw tooMany(maxCourses);
        const others = ways.map((way, place) => ({ place, way })).slice(1);
        const fits = waitingBytes + course.bytes <= maxBytes;
        const from = course;
        course = ways[0]!.resume(from, !fits);
        if (fits) {
          waitingBytes += from.bytes;
          waiting.push({ from, path, ways: others.reverse() });
        } else
          for (const { place, way } of others.reverse())
            waiting.push({ from: null, path: { taken: place, before: path }, shots: way.shots });
      }
      path = { taken: known ?? 0, before: path };
    }
    if (isLost) continue;
    options.onEnd(course, ended === 0 && waiting.length === 0);
    ended++;
  }
}

function placesOf(path: Path | null): number[] {
  const places: number[] = [];
  for (let link = path; link; link = link.before) places.push(link.taken);
  return places.reverse();
}

const tooMany = (maxCourses: number): SimulationError =>
  new SimulationError(
    `The program takes more than ${maxCourses.toLocaleString("en-US")} different courses, too many for an exact run; ask for shots instead.`,
  );
