import { formatCount } from "@/components/ui/number";
import type { Tone } from "@/components/ui/state";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";

const skippedWords: Record<keyof ReplayRow["leftOut"], string> = {
  closed: "channel closed",
  underWay: "already in progress",
  takenBack: "canceled",
  changed: "no longer matching",
};

/** Describes the state of a bulk retry. Only what was sent counts as retried. */
export function replayWords(replay: Pick<ReplayRow, "state" | "retried" | "leftOut" | "total">): {
  tone: Tone;
  word: string;
  counts: string;
} {
  const { state, retried, leftOut, total } = replay;
  const counts = `${formatCount(retried)} of ${formatCount(total)}`;
  const why = (Object.keys(skippedWords) as (keyof typeof skippedWords)[])
    .filter((reason) => leftOut[reason] > 0)
    .map((reason) => `${formatCount(leftOut[reason])} ${skippedWords[reason]}`);
  const isWhole = why.length === 0;
  return { ...replayState(state, isWhole), counts: isWhole ? counts : `${counts}; skipped: ${why.join(", ")}` };
}

function replayState(state: ReplayRow["state"], isWhole: boolean): { tone: Tone; word: string } {
  if (state === "running") return { tone: "wait", word: "Retrying" };
  if (state === "cancelled") return { tone: "off", word: "Stopped" };
  return { tone: isWhole ? "good" : "wait", word: "Retried" };
}

/** For this long a page still says how a bulk retry ended. */
const SHOWN_AFTER_MS = 60_000;

/** Selects the bulk retries that run, or ended a moment ago. */
export function shownReplays(replays: readonly ReplayRow[], now: number): ReplayRow[] {
  return replays.filter(
    ({ state, finishedAt }) => state === "running" || Date.parse(finishedAt ?? "") > now - SHOWN_AFTER_MS,
  );
}

/** Estimates from its pace how long a bulk retry still runs, in milliseconds. Null: too little is done. */
export function timeLeft({ done, total, createdAt }: Pick<ReplayRow, "done" | "total" | "createdAt">, now: number) {
  return done === 0 || done >= total ? null : ((now - Date.parse(createdAt)) / done) * (total - done);
}
