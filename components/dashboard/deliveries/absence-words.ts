import type { DeliveryFilterParams } from "@/components/dashboard/deliveries/filters";
import { closedWords } from "@/components/dashboard/deliveries/words";
import { formatCount } from "@/components/ui/number";
import { relativeTime } from "@/components/ui/relative-time";
import type { Absence } from "@/server/services/staff/deliveries/shapes";

const KEPT = "Deliveries are kept for 30 days after they end.";

/** Why a list of deliveries is empty, for whoever narrowed it by `filters`. */
export function absenceWords(
  absence: Absence,
  { now, filters }: { now: number; filters: Partial<DeliveryFilterParams> },
): { title: string; text: string } {
  switch (absence.reason) {
    case "unknown":
      return unknownWords[absence.what];
    case "no_channel":
      return {
        title: "No channel",
        text: "This account has never had a channel, so Almanac sends it no webhooks. The application creates one with POST /v1/channels.",
      };
    case "channels_closed":
      return {
        title: "No open channel",
        text: `This account’s last channel was closed ${relativeTime(Date.parse(absence.closedAt), now)}${closedWords(absence.closedBy)}. ${KEPT}`,
      };
    case "disconnected":
      return {
        title: "Account disconnected",
        text: `Almanac can’t read this account’s calendars, so there are no changes to notify about. Last sync: ${
          absence.lastSyncAt ? relativeTime(Date.parse(absence.lastSyncAt), now) : "never"
        }. The user must reconnect.`,
      };
    case "other_filters":
      return {
        title: "No matching deliveries",
        text: `${countWords(absence)}${withoutWords(filters)}.`,
      };
    default:
      return { title: "No matching deliveries", text: KEPT };
  }
}

function countWords({ count, more }: { count: number; more: boolean }): string {
  if (count === 1 && !more) return "One delivery matches";
  return `${formatCount(count)}${more ? "+" : ""} deliveries match`;
}

const filterWords = {
  state: "state",
  from: "time",
  to: "time",
  type: "type",
  statusClass: "response",
  errorClass: "error",
  late: "late",
} as const;

/** The filters that are set beside those that name an owner: " without the state and error filters". */
function withoutWords(filters: Partial<DeliveryFilterParams>): string {
  const names = Object.keys(filterWords) as (keyof typeof filterWords)[];
  const set = [...new Set(names.filter((name) => filters[name] !== undefined).map((name) => filterWords[name]))];
  if (set.length === 0) return "";
  const list = [set.slice(0, -1).join(", "), ...set.slice(-1)].filter(Boolean).join(" and ");
  return ` without the ${list} filter${set.length === 1 ? "" : "s"}`;
}

const unknownWords: Record<(Absence & { reason: "unknown" })["what"], { title: string; text: string }> = {
  delivery: { title: "No such delivery", text: `No delivery has this ID. ${KEPT}` },
  channel: { title: "No such channel", text: "No channel has this ID. Enter the full ID." },
  account: { title: "No such account", text: "No account has this ID or email. Enter the full ID or the full email." },
  application: { title: "No such application", text: "No application has this ID. Enter the full ID." },
  host: {
    title: "No such host",
    text: "No endpoint has this host. A host includes its port, for example 127.0.0.1:9000.",
  },
  search: {
    title: "Nothing found",
    text: "No account’s email and no endpoint begins with this, and no request with this ID created a channel. Enter a full ID, or the beginning of an email or endpoint.",
  },
};
