import { clock } from "@/server/clock";
import type { Pieces } from "@/server/domain/pieces";

/** After so long others have their turn: far below what a caller notices, far above what a turn costs. */
const SLICE_MS = 2;

interface Turns {
  /** Who waits, in the order in which they came. */
  waiting: (() => void)[];
  isGoing: boolean;
}

declare global {
  var almanacTurns: Turns | undefined;
}

/**
 * To be asked between pieces of long work: gives nothing while the slice lasts, then what to wait for. One round of the event loop
 * takes one slice, however many there are who work in slices.
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
  // Next may load this module twice.
  globalThis.almanacTurns ??= { waiting: [], isGoing: false };
  const turns = globalThis.almanacTurns;
  return new Promise((resume) => {
    turns.waiting.push(resume);
    if (!turns.isGoing) setImmediate(handOn, turns);
    turns.isGoing = true;
  });
}

/** Immediates that are there when a round begins all run in it: hence one after the other. */
function handOn(turns: Turns): void {
  turns.waiting.shift()?.();
  turns.isGoing = turns.waiting.length > 0;
  if (turns.isGoing) setImmediate(handOn, turns);
}
