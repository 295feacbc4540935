import { clock } from "@/server/clock";
import type { Pieces } from "@/server/domain/pieces";

/** After so long others have their turn: far below what a caller notices, far above what a turn costs. */
const SLICE_MS = 2;

/** Who waits, in the order in which they came. */
const waiting: (() => void)[] = [];
let isGoing = false;

/**
 * Creates a function to call between pieces of long work: it returns nothing while the slice lasts, then a promise to wait for. One round of
 * the event loop takes one slice, however many work in slices.
 */
export function slices(): () => Promise<void> | undefined {
  let began = clock().monotonic();
  return () => {
    if (clock().monotonic() - began < SLICE_MS) return undefined;
    return turn().then(() => {
      began = clock().monotonic();
    });
  };
}

/** Does work in slices, between which the event loop goes round. Work that comes in several parts shares one `pause`, or many short parts become a long one. */
export async function inSlices<Result>(work: Pieces<Result>, pause = slices()): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const turn = pause();
    if (turn) await turn;
  }
}

function turn(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    if (!isGoing) setImmediate(handOn);
    isGoing = true;
  });
}

/** Lets the next one go on. One immediate creates the next, because all that exist when a round begins run in it. */
function handOn(): void {
  waiting.shift()?.();
  isGoing = waiting.length > 0;
  if (isGoing) setImmediate(handOn);
}
