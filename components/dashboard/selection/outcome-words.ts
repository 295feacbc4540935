import { formatCount } from "@/components/ui/number";

/** Says what came of an action on many rows: "Retrying 3 deliveries. 2 skipped: The channel is closed." */
export function outcomeWords(done: string, refusals: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const refusal of refusals) counts.set(refusal, (counts.get(refusal) ?? 0) + 1);
  const skipped = [...counts].map(([refusal, count]) => `${formatCount(count)} skipped: ${refusal}`);
  return [`${done}.`, ...skipped].join(" ");
}
