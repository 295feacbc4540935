import { createHash, randomBytes } from "node:crypto";
import type { Plan } from "@/server/jobs/executor/plan";

export interface AcceptedEvent {
  id: string;
  name: string;
  data: unknown;
  /** Milliseconds since 1970. */
  ts: number;
}

/** A run that an event causes, as it is stored. */
export interface CausedRun {
  id: string;
  eventId: string;
  functionId: string;
  event: string;
  /** Null: at once. */
  startsAt: Date | null;
}

export interface Arrivals {
  ids: string[];
  runs: CausedRun[];
}

const LONGEST_ID = 200;

/** What the SDK's client posts: an event or several. Gives null for a body that is none. */
export function readArrivals(body: unknown, seed: string | null, plans: readonly Plan[]): Arrivals | null {
  const given = Array.isArray(body) ? body : [body];
  const sentAt = Number(seed?.split(",")[0]);
  const events = given.map((one, index) => readEvent(one, () => idFromSeed(seed, index)));
  if (!events.every((event) => event !== null)) return null;
  const firsts = new Map(events.toReversed().map((event) => [event.id, event]));
  const runs = [...firsts.values()].toReversed().flatMap((event) => runsOf(event, plans, sentAt));
  return { ids: events.map(({ id }) => id), runs };
}

export function newRunId(): string {
  return randomBytes(16).toString("hex");
}

function readEvent(given: unknown, newId: () => string): AcceptedEvent | null {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return null;
  const { id, name, ts, data } = given as Record<string, unknown>;
  if (typeof name !== "string" || name === "" || name.startsWith("inngest/")) return null;
  if (typeof ts !== "number" || Number.isNaN(new Date(ts).getTime())) return null;
  return { ...given, id: typeof id === "string" && id !== "" ? id : newId(), name, ts, data: data ?? {} };
}

/** The SDK sends the same seed when it tries again, so that what it sends twice is one event. */
function idFromSeed(seed: string | null, index: number): string {
  return seed === null ? newRunId() : digest(`${seed}/${index}`);
}

function runsOf(event: AcceptedEvent, plans: readonly Plan[], sentAt: number): CausedRun[] {
  // The SDK gives every event a time. The moment of sending means at once, whatever its clock says.
  const startsAt = event.ts === sentAt ? null : new Date(event.ts);
  const text = JSON.stringify(event);
  return plans
    .filter(({ events }) => events.includes(event.name))
    .map(({ id }) => ({ id: newRunId(), eventId: storedId(event.id), functionId: id, event: text, startsAt }));
}

/** PostgreSQL keeps no zero characters, and its indexes no long values. */
function storedId(id: string): string {
  return id.length <= LONGEST_ID && !id.includes("\0") ? id : digest(id);
}

function digest(value: string): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
