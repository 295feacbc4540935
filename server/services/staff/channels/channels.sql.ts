import { composed, samplesOf } from "@/server/db/composed";
import { bool, int4, nullable, statement, text, texts, timestamp } from "@/server/db/statement";
import {
  type AttemptFigures,
  attemptFigures,
  measuredColumns,
  oldestPending,
} from "@/server/services/staff/channels/attempts.sql";
import type { OfTrigger } from "@/server/services/staff/channels/shapes";
import { triggerColumns, triggerSelected } from "@/server/services/staff/channels/trigger-column";
import type { channelList } from "@/server/services/staff/lists/channels";
import { type ConditionsOf, conditionsFor } from "@/server/services/staff/lists/conditions";
import type { FilterValues } from "@/server/services/staff/lists/list";
import { type PageCursor, placeTime } from "@/server/services/staff/lists/paging";
import { applicationCondition } from "@/server/services/staff/procedure/scope";

export interface StoredChannel extends OfTrigger {
  id: string;
  callbackUrl: string;
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
  accountId: string;
  applicationId: string;
  applicationName: string;
  createdAt: Date;
  /** Precise to the microsecond. */
  placeAt: string;
  closedAt: Date | null;
  closedBy: string | null;
  pausedAt: Date | null;
  /** Failed attempts in a row. */
  failures: number;
}

export interface ChannelSearch extends FilterValues<typeof channelList.filters> {
  id?: string;
  /** Restricts the search to these applications. */
  within?: readonly string[];
  after?: PageCursor;
}

const conditionsOf: ConditionsOf<ChannelSearch> = {
  id: (id, { put }) => `c.id = ${put(id)}`,
  account: (id, { put }) => `c.account_id = ${put(id)}`,
  application: (id, { put }) => `a.application_id = ${put(id)}`,
  within: (ids, { put }) => applicationCondition("a.application_id", ids, put).join(" AND "),
  open: (isSo) => `c.closed_at IS ${isSo ? "NULL" : "NOT NULL"}`,
  after: ({ at, id }, { put }) => `(c.created_at, c.id) < (${put(at)}::timestamptz, ${put(id)}::text)`,
};

export const channelPage = composed<ChannelSearch & { limit: number }, StoredChannel>({
  compose: ({ limit, ...search }, binding) => {
    const conditions = [...conditionsFor(conditionsOf, search, binding), "true"];
    return `SELECT c.id, c.callback_url AS "callbackUrl", CASE WHEN NOT c.all_calendars THEN c.calendar_ids END AS "calendarIds",
c.only_managed AS "onlyManaged", c.account_id AS "accountId", a.application_id AS "applicationId", p.name AS "applicationName",
c.created_at AS "createdAt", ${placeTime("c.created_at")} AS "placeAt", c.closed_at AS "closedAt", c.closed_by AS "closedBy",
c.paused_at AS "pausedAt", c.failures, ${triggerSelected}
FROM channels c JOIN accounts a ON a.id = c.account_id JOIN applications p ON p.id = a.application_id
WHERE ${conditions.join(" AND ")}
ORDER BY c.created_at DESC, c.id DESC LIMIT ${binding.put(limit)}::int`;
  },
  columns: {
    id: text,
    callbackUrl: text,
    calendarIds: nullable(texts),
    onlyManaged: nullable(bool),
    accountId: text,
    applicationId: text,
    applicationName: text,
    createdAt: timestamp,
    placeAt: text,
    closedAt: nullable(timestamp),
    closedBy: nullable(text),
    pausedAt: nullable(timestamp),
    failures: int4,
    ...triggerColumns,
  },
  samples: [
    ...samplesOf<Required<ChannelSearch>>({
      id: "",
      account: "",
      application: "",
      open: true,
      within: ["", ""],
      after: { at: "2025-06-01T00:00:00Z", id: "" },
    }),
    { open: false },
    { within: [""] },
  ].map((search) => ({ ...search, limit: 1 })),
});

interface MeasuredChannel extends AttemptFigures {
  oldestPendingAt: Date | null;
}

export const measureChannel = statement<MeasuredChannel>(
  `SELECT m.*, (${oldestPending}) AS "oldestPendingAt" FROM (${attemptFigures("$1")}) m`,
  { ...measuredColumns, oldestPendingAt: nullable(timestamp) },
);
