import { composed } from "@/server/db/composed";
import { text } from "@/server/db/statement";
import { type Days, everyDay, isOfDays } from "@/server/store/deliveries/days";

/** The table of each kind of object, the type of its id, and SQL for the application that it belongs to. */
const stored = {
  application: { from: "applications t", id: "text", owner: "t.id" },
  account: { from: "accounts t", id: "text", owner: "t.application_id" },
  profile: { from: "profiles t", id: "text", owner: "t.application_id" },
  calendar: { from: "calendars t JOIN accounts a ON a.id = t.account_id", id: "text", owner: "a.application_id" },
  channel: { from: "channels t JOIN accounts a ON a.id = t.account_id", id: "text", owner: "a.application_id" },
  feed: {
    from: "calendar_feeds t JOIN calendars c ON c.id = t.calendar_id JOIN accounts a ON a.id = c.account_id",
    ...{ id: "text", owner: "a.application_id" },
  },
  note: { from: "account_notes t JOIN accounts a ON a.id = t.account_id", id: "text", owner: "a.application_id" },
  delivery: { from: "deliveries t", id: "text", owner: "t.application_id" },
  request: { from: "request_logs t", id: "uuid", owner: "t.application_id" },
  write: { from: "provider_writes t JOIN accounts a ON a.id = t.account_id", id: "bigint", owner: "a.application_id" },
  // A replay belongs to one application only if its filters name it.
  replay: { from: "replays t", id: "text", owner: "t.filters ->> 'application'" },
} as const;

/** A kind of object that can be requested by its id. */
export type ObjectKind = keyof typeof stored;

interface Things {
  thing: ObjectKind;
  ids: readonly string[];
  /** Null: any application. */
  applications: readonly string[] | null;
  /** For deliveries: the days on which they were created. */
  days?: Days;
}

export const objectsWithin = composed<Things, { id: string }>({
  compose: ({ thing, ids, applications, days }, { put }) => {
    const { from, id, owner } = stored[thing];
    const isWithin = applications === null ? "" : ` AND ${owner} = ANY (${put(applications)}::text[])`;
    const isThen = days === undefined ? "" : ` AND ${isOfDays("t", put(days.from), put(days.before))}`;
    return `SELECT t.id::text AS id FROM ${from} WHERE t.id = ANY (${put(ids)}::${id}[])${isWithin}${isThen}`;
  },
  columns: { id: text },
  samples: (Object.keys(stored) as ObjectKind[]).flatMap((thing) =>
    [null, ["app_1"]].map((applications) => ({
      ...{ thing, ids: [], applications },
      ...(thing === "delivery" && { days: everyDay }),
    })),
  ),
});
