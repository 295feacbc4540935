import { randomUUID } from "node:crypto";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { Rule } from "@/server/domain/recurrence/rule";
import type { Instant } from "@/server/domain/time/instant";
import { eventName } from "@/server/providers/microsoft/event-name";
import { microsoftWriting } from "@/server/providers/microsoft/write";
import type { PartVersion, ProviderWriteResult, WriteInput } from "@/server/providers/writing";
import { writeToProvider } from "@/server/sync/write-event";
import type { MicrosoftOptions } from "../../fakes/microsoft/microsoft";
import { adaAtMicrosoft } from "./microsoft-ada";

export const at = (text: string) => Date.parse(text) as Instant;
export const guest = (email: string) => ({ email, display_name: null, status: "needs_action" as const });

/** An hour in Madrid, for which Windows has no name of its own. */
export function eventState(more: Partial<EventState> = {}): EventState {
  return {
    summary: "Planning",
    description: "",
    location: null,
    url: null,
    span: { starts: at("2027-03-01T08:00:00Z"), ends: at("2027-03-01T09:00:00Z"), allDay: false },
    tzid: "Europe/Madrid",
    transparency: "opaque",
    private: false,
    status: "confirmed",
    participationStatus: "accepted",
    organizer: null,
    attendees: [],
    categories: [],
    conferencing: null,
    ruleSeries: null,
    icalRecurrence: null,
    ...more,
  };
}

export const daily: Rule = { frequency: "daily", interval: 1, count: null, until: null, byDay: [] };

export function ruleSeries(rule: Partial<Rule> = {}, exceptions: Partial<RuleSeries> = {}): RuleSeries {
  const whole = { ...daily, ...rule };
  return { rules: [{ frequency: whole.frequency }], rule: whole, skipped: [], changed: [], ...exceptions };
}

type More = Partial<WriteInput>;

/** Ada's calendar at Microsoft, and an application that writes one event to it. */
export async function writingToMicrosoft(options: MicrosoftOptions = {}) {
  const ada = await adaAtMicrosoft(options);
  const { api, calendar, fake } = ada;
  const row = randomUUID();
  let known: ProviderWriteResult | null = null;
  const notes: PartVersion[] = [];
  /** Writes the event as the engine does: over what the last write left. */
  const push = async (state: EventState | null, more: More = {}): Promise<ProviderWriteResult> => {
    const before = known?.kind === "done" ? known : null;
    const input: WriteInput = {
      ...{ calendarId: calendar.id, externalId: before?.externalId ?? null, version: before?.version ?? null },
      ...{ parts: before?.parts ?? {}, uid: row, name: eventName(row), state, removedGuests: [], notify: true },
      ...more,
    };
    const written = await writeToProvider(microsoftWriting(api), input, async (part) => void notes.push(part));
    if (written.kind === "done") known = written;
    return written;
  };
  /** The id of the event at Microsoft. */
  const id = () => (known?.kind === "done" ? known.externalId : "");
  /** The event as the calendar's owner sees it. */
  const shown = () => calendar.event(id());
  /** The requests since the last look, those in a batch in brackets. */
  const asked = () => {
    const lines = fake.requests.map(({ method, path, isPart }) => {
      const short = path.replace(/^\/v1\.0\/(?:me\/calendars\/[^/]+)?/, "").replace(/events\/[^/]+/, "events/…");
      return isPart ? `[${method} ${short.replace(/^\//, "")}]` : `${method} ${short.replace(/^\//, "")}`;
    });
    fake.requests.length = 0;
    return lines;
  };
  return { ...ada, row, notes, push, id, shown, asked };
}
