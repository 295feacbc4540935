import type { ChangedField, ChangeKind } from "@/server/domain/events/change-kind";
import type { WriteState } from "@/server/domain/provider-writes";
import type { ChangeOutcome } from "@/server/domain/timeline/change-outcome";
import type { DeliveryFacts } from "@/server/domain/timeline/facts";
import type { AccountRow } from "@/server/services/staff/lists/accounts";

/** An event without its texts, and all that happened to it. Times are milliseconds since 1970. */
export interface EventDetail {
  id: string;
  /** As reads name it: of a series its first occurrence. */
  uid: string;
  /** The application's id for it. Null: others created it. */
  eventId: string | null;
  account: AccountRow;
  calendar: { id: string; name: string };
  /** The provider's name in the API. */
  provider: string;
  providerLabel: string;
  /** When it takes place, in its zone; for a series its first occurrence. */
  when: string;
  /** How it repeats. Null: it does not repeat. */
  repeats: string | null;
  /** The day on which it is shown in its calendar: 2026-11-25. */
  day: string;
  createdAt: number;
  deletedAt: number | null;
  /** What the provider has. Null: it has all that the application wrote, or there is nothing to write to it. */
  write: EventWrite | null;
  /** The newest first. */
  steps: EventStep[];
  /** Whether there was more than is shown. */
  isCut: boolean;
}

/** A write that the provider does not have. */
export interface EventWrite {
  id: string;
  state: WriteState;
  waitsForReconnect: boolean;
  attempts: number;
  lastError: string | null;
  /** When the next attempt is due. Null: there is none. */
  dueAt: number | null;
}

/** One thing that happened to an event. */
export type EventStep = { at: number } & (
  | { kind: "request"; request: EventRequest }
  | { kind: "change"; change: EventChange; outcomes: ChannelOutcome[] }
  | { kind: "written"; attempts: number | null }
  | { kind: "write"; write: EventWrite }
  | { kind: "refused"; write: EventWrite }
  | { kind: "reverted" }
  | { kind: "delivery"; delivery: DeliveryFacts; endpoint: string }
);

export interface EventRequest {
  /** The request's id in the log. */
  id: string;
  method: string;
  path: string;
  endpoint: string | null;
  status: number;
  /** Of the sandbox: the type of the change. Of an assistant: the tool. */
  type: string | null;
  /** Why it was refused. Null: it was accepted. */
  reason: string | null;
}

export interface EventChange {
  kind: ChangeKind;
  fields: ChangedField[];
  /** Whether the application made it. */
  own: boolean;
  /** Of a series: the day of the occurrence. Null: the whole event. */
  occurrenceDate: string | null;
}

/** What a channel did with a change by others. */
export interface ChannelOutcome {
  channel: string;
  endpoint: string;
  outcome: ChangeOutcome;
}

export interface ShownEventTexts {
  summary: string;
  location: string | null;
  description: string | null;
}
