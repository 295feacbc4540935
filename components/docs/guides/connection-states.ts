import type { Section } from "@/components/docs/guide";
import { inWords } from "@/components/docs/in-words";
import type { Provider } from "@/server/domain/providers";
import { googleVerdicts } from "@/server/domain/provider-responses/google";
import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import type { RequestKind, Verdict, VerdictRow } from "@/server/domain/provider-responses/verdicts";

interface Answering {
  name: string;
  providers: readonly Provider[];
  rows: readonly VerdictRow[];
}

const answering: readonly Answering[] = [
  { name: "Google", providers: ["google"], rows: googleVerdicts },
  { name: "Microsoft", providers: ["microsoft", "outlook"], rows: microsoftVerdicts },
];

/** What follows from a response, in the order in which it matters to an application. */
const outcomes: readonly [string, readonly Verdict[]][] = [
  ["The profile is disconnected, if the same happens again half a minute later", ["reconnect"]],
  ["The write is undone, and you receive a `change`", ["undo"]],
  ["Your write is merged with the event as it is now", ["changed"]],
  ["Almanac continues with the event as it is now", ["exists", "gone", "done"]],
  ["Almanac waits as long as the provider asks, then tries again", ["wait_mailbox", "wait_service"]],
  ["Almanac tries again; writes wait, reads return what is known", ["retry", "no_mailbox"]],
  ["The same, and your Almanac administrator sees why", ["misconfigured"]],
  ["The calendar is read again in full", ["read_all"]],
  ["The calendar isn't read for now; the others are", ["skip"]],
  ["Changes are found by polling", ["no_watch", "never_watched"]],
];

const during: Readonly<Record<RequestKind, string>> = {
  renew_access: "renewing access",
  exchange_code: "connecting",
  end_grant: "ending access",
  list_calendars: "listing calendars",
  list_calendar_changes: "listing calendars",
  read_settings: "reading settings",
  list_events: "reading a calendar",
  list_event_changes: "reading a calendar",
  read_event: "reading an event",
  find_link: "looking for a meeting link",
  open_watch: "asking for push",
  renew_watch: "asking for push",
  stop_watch: "ending push",
  create_event: "writing",
  change_event: "writing",
  delete_event: "writing",
  batch: "reading or writing",
};
const all = new Set(Object.values(during)).size;

/** What a provider's responses do to a profile, a write and a calendar: the rows by which they are judged, for those of the providers that are offered. */
export function connectionStates(offered: readonly Provider[]): Section {
  const shown = answering.filter(({ providers }) => providers.some((provider) => offered.includes(provider)));
  return {
    id: "connection-states",
    title: "Connection states",
    blocks: [
      "A profile is disconnected only if its provider itself says that the user's access has ended, and a write is undone only if the provider itself rejects the event. Everything else is a bad moment: the profile stays connected, your writes wait, and Almanac tries again for 48 hours. This also holds for an error page of something between Almanac and the provider.",
      ...shown.map(table),
    ],
  };
}

function table({ name, rows }: Answering): string {
  const lines = outcomes.flatMap(([outcome, verdicts]) =>
    rows.filter(({ verdict }) => verdicts.includes(verdict)).map((row) => [outcome, row] as const),
  );
  return [
    `| What follows at ${name} | What has happened | During | Response |`,
    "|---|---|---|---|",
    ...lines.map(([outcome, row]) => `| ${outcome} | ${row.means} | ${duringOf(row)} | ${responseOf(row)} |`),
  ].join("\n");
}

function duringOf({ requests }: VerdictRow): string {
  const names = [...new Set(requests.map((kind) => during[kind]))];
  return names.length === all ? "anything" : inWords(names, "or");
}

function responseOf({ statuses, words }: VerdictRow): string {
  const status = statuses === null ? "any status" : statuses.join(", ");
  if (words === null) return status;
  return words === "own" ? `${status}, with any error of the provider` : words.map((word) => `\`${word}\``).join(", ");
}
