import { closedWords, errorOptions, stateOptions } from "@/components/dashboard/deliveries/words";
import type { QueriedFilters } from "@/components/dashboard/filters/queried";
import { formatCount } from "@/components/ui/number";
import { relativeTime } from "@/components/ui/relative-time";
import { DELIVERIES_KEPT_DAYS } from "@/server/domain/retention";
import type { Absence, AccountTrouble } from "@/server/services/staff/deliveries/shapes";
import { type deliveryList, type OwnerFilter, ownerFilters } from "@/server/services/staff/lists/deliveries";

export const DELIVERIES_KEPT = `Deliveries are kept for ${DELIVERIES_KEPT_DAYS} days after they end.`;

/** Explains why a list of deliveries filtered by `filters` is empty. */
export function absenceWords(
  absence: Absence,
  { now, filters }: { now: number; filters: Partial<QueriedFilters<typeof deliveryList>> },
): { title: string; text: string } {
  switch (absence.reason) {
    case "unknown":
      return absence.what === "search" ? searchWords(filters) : unknownWords[absence.what];
    case "no_channel":
    case "channels_closed":
    case "disconnected":
      return troubleWords(absence, now);
    case "other_filters":
      return {
        title: "No matching deliveries",
        text: `${searchedWords(filters)}${countWords(absence)}${withoutWords(filters)}.${wideningWords(filters)}`,
      };
    default:
      return { title: "No matching deliveries", text: `${searchedWords(filters)}${DELIVERIES_KEPT}` };
  }
}

/** Explains why an account gets no webhooks. */
export function troubleWords(trouble: AccountTrouble, now: number): { title: string; text: string } {
  switch (trouble.reason) {
    case "no_channel":
      return {
        title: "No channel",
        text: "This account has never had a channel, so Almanac sends it no webhooks. The application creates one with POST /v1/channels.",
      };
    case "channels_closed":
      return {
        title: "No open channel",
        text: `This account’s last channel was closed ${relativeTime(Date.parse(trouble.closedAt), now)}${closedWords(trouble.closedBy)}. ${DELIVERIES_KEPT}`,
      };
    case "disconnected":
      return {
        title: "Account disconnected",
        text: `Almanac can’t read this account’s calendars, so there are no changes to notify about. Last sync: ${
          trouble.lastSyncAt ? relativeTime(Date.parse(trouble.lastSyncAt), now) : "never"
        }. The user must reconnect.`,
      };
  }
}

function countWords({ count, more }: { count: number; more: boolean }): string {
  if (count === 1 && !more) return "One delivery matches";
  return `${formatCount(count)}${more ? "+" : ""} deliveries match`;
}

type Filters = Partial<QueriedFilters<typeof deliveryList>>;

const filterWords = {
  state: "state",
  from: "time",
  to: "time",
  type: "type",
  statusClass: "response",
  errorClass: "error",
  late: "late",
} as const satisfies Record<Exclude<keyof typeof deliveryList.filters, OwnerFilter>, string>;

/** Lists the filters that are set beside those for an owner: " without the state and error filters". */
function withoutWords(filters: Filters): string {
  const set = setBesideOwner(filters);
  if (set.length === 0) return "";
  return ` without the ${listOf(set, "and")} filter${set.length === 1 ? "" : "s"}`;
}

/** Says what was searched if no owner is named: nothing else on the page says that it was everything. */
function searchedWords(filters: Filters): string {
  const set = setBesideOwner(filters);
  if (set.length === 0 || namesOwner(filters)) return "";
  const { state, type, statusClass, errorClass, from, to, late } = filters;
  const wanted = [
    state && `state ${listOf(labels(state, stateOptions), "or").toLowerCase()}`,
    (from || to) && "the chosen time",
    type && `type ${listOf(type, "or")}`,
    statusClass && `response ${listOf(statusClass, "or")}`,
    errorClass && `error ${listOf(labels(errorClass, errorOptions), "or")}`,
    late && "a delay over 30 seconds",
  ];
  return `Searched the deliveries of all applications for ${listOf(wanted.filter(Boolean) as string[], "and")}. `;
}

function wideningWords(filters: Filters): string {
  const set = setBesideOwner(filters);
  if (set.length === 0 || namesOwner(filters)) return "";
  return ` Remove ${set.length === 1 ? "it" : "one of them"} to see more. ${DELIVERIES_KEPT}`;
}

function setBesideOwner(filters: Filters): string[] {
  const names = Object.keys(filterWords) as (keyof typeof filterWords)[];
  return [...new Set(names.filter((name) => filters[name] !== undefined).map((name) => filterWords[name]))];
}

function namesOwner(filters: Filters): boolean {
  return ownerFilters.some((name) => filters[name] !== undefined);
}

function labels(values: readonly string[], options: readonly { value: string; label: string }[]): string[] {
  return values.map((value) => options.find((option) => option.value === value)?.label ?? value);
}

function listOf(words: readonly string[], conjunction: "and" | "or"): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(` ${conjunction} `);
}

type Unknown = (Absence & { reason: "unknown" })["what"];

const unknownWords: Record<Exclude<Unknown, "search">, { title: string; text: string }> = {
  delivery: { title: "Delivery not found", text: `No delivery has this ID. ${DELIVERIES_KEPT}` },
  channel: { title: "Channel not found", text: "No channel has this ID. Enter the full ID." },
  account: {
    title: "Account not found",
    text: "No account has this ID or email. Enter the full ID or the full email.",
  },
  application: { title: "Application not found", text: "No application has this ID. Enter the full ID." },
  host: {
    title: "Host not found",
    text: "No endpoint has this host. A host includes its port, for example 127.0.0.1:9000.",
  },
};

/** Says what a search that found nothing can be for. */
function searchWords({ q }: Filters): { title: string; text: string } {
  const searched = q === undefined ? "No deliveries match." : `No deliveries match “${q}”.`;
  return {
    title: "No matching deliveries",
    text: `${searched} Search by a full ID, or by the start of an email, callback URL or path.`,
  };
}
