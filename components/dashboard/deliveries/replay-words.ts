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
