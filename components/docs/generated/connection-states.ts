import { table } from "@/components/docs/written/parts";
import { googleVerdicts } from "@/server/domain/provider-responses/google";
import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import type { Verdict, VerdictRow } from "@/server/domain/provider-responses/verdicts";
import type { Provider } from "@/server/domain/providers";

interface Answering {
  name: string;
  providers: readonly Provider[];
  rows: readonly VerdictRow[];
}

const answering: readonly Answering[] = [
  { name: "Google", providers: ["google"], rows: googleVerdicts },
  { name: "Microsoft", providers: ["microsoft", "outlook"], rows: microsoftVerdicts },
];

/** Consequences of a response, most important to an application first. */
const outcomes: readonly [string, readonly Verdict[]][] = [
  ["The profile is disconnected, if it happens again half a minute later", ["reconnect"]],
  ["The write is undone, and you receive a `change`", ["undo"]],
  ["Almanac continues with the current event", ["changed", "exists", "gone", "done"]],
  ["Almanac waits as long as the provider asks, then tries again", ["wait_mailbox", "wait_service"]],
  ["Almanac tries again; your writes wait, and reads return what is known", ["retry", "no_mailbox"]],
  ["Almanac tries again, and your Almanac administrator sees why", ["misconfigured"]],
  ["The calendar is read again in full", ["read_all"]],
  ["The calendar isn't read for now; the others are", ["skip"]],
  ["Changes are found by polling", ["no_watch", "never_watched"]],
];

/**
 * Shows what a provider's responses do to a profile, a write and a calendar: the rows that decide it, for the providers
 * on offer.
 */
export function connectionStates(offered: readonly Provider[]): string {
  const shown = answering.filter(({ providers }) => providers.some((provider) => offered.includes(provider)));
  if (shown.length === 0) return "";
  return table({
    head: ["What follows", ...shown.map(({ name }) => `Response of ${name}`)],
    rows: outcomes.map(([outcome, verdicts]) => [outcome, ...shown.map(({ rows }) => cell(rows, verdicts))]),
  });
}

/** Writes each meaning once for all rows that share it, with the provider's codes for it. */
function cell(rows: readonly VerdictRow[], verdicts: readonly Verdict[]): string {
  const byMeaning = new Map<string, Set<string>>();
  for (const row of rows.filter(({ verdict }) => verdicts.includes(verdict))) {
    const known = byMeaning.get(row.means) ?? new Set();
    for (const word of wordsOf(row)) known.add(word);
    byMeaning.set(row.means, known);
  }
  return [...byMeaning].map(([means, words]) => `${means} (${[...words].join(", ")})`).join(" ");
}

function wordsOf({ statuses, words }: VerdictRow): string[] {
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``);
  const status = statuses === null ? "any" : statuses.join(", ");
  return [words === "own" ? `${status} with an error of the provider` : status];
}
