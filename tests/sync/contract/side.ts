import type { ApiResponse } from "../../api/service";

/** An event as it stands in a body of POST …/events. */
export interface WrittenEvent {
  event_id: string;
  summary: string;
  [field: string]: unknown;
}

/** An event that another person has put into the calendar: times in Europe/Berlin, or dates. */
export interface TheirEvent {
  summary: string;
  start: string;
  end: string;
  location?: string;
  isTentative?: boolean;
  /** It repeats daily so many times; one occurrence was moved. */
  daily?: { count: number; moved: { from: string; start: string; end: string } };
  /** Who has invited the owner of the calendar, who has declined. */
  declinedOf?: string;
}

/** What the other person sees of an event or a series: times in Europe/Berlin, to the minute, or dates. */
export interface Seen {
  summary: string;
  start: string;
  end: string;
  description: string;
  location: string;
  isSeries: boolean;
  /** The dates of occurrences that are cancelled. */
  skipped: string[];
  /** Start and name of the occurrences that differ from the series, by their dates. */
  changed: Record<string, [start: string, summary: string]>;
  /** "series", and the dates of occurrences, where her mark is. */
  marks: string[];
}

/** The other person who works in the calendar. Where nobody does, the application writes what she would, or it does not happen. */
export interface Others {
  rename(event: WrittenEvent, to: { summary: string; location: string }): Promise<void>;
  describe(event: WrittenEvent, description: string): Promise<void>;
  delete(event: WrittenEvent): Promise<void>;
  move(event: WrittenEvent, to: { start: string; end: string }): Promise<void>;
  /** The series repeats daily otherwise. */
  repeat(event: WrittenEvent, rule: { interval: number; count: number }): Promise<void>;
  /** The occurrence of a series whose times are in Europe/Berlin, at this local time. */
  moveOccurrence(event: WrittenEvent, from: string, to: { start: string; end: string }): Promise<void>;
  cancelOccurrence(event: WrittenEvent, from: string): Promise<void>;
  renameOccurrence(event: WrittenEvent, from: string, summary: string): Promise<void>;
  /** Keeps something at the series, or at an occurrence, that Almanac has no field for. */
  mark(event: WrittenEvent, from?: string): Promise<void>;
  accept(event: WrittenEvent, guest: string): Promise<void>;
  makePrivate(event: WrittenEvent): Promise<void>;
  create(event: TheirEvent): Promise<void>;
}

/** How responses are lost: a 503 comes in their place, or the connection breaks. */
export type Loss = "503" | "break";

export interface ProviderSide {
  /** What the application wrote is brought to the provider. */
  push(): Promise<void>;
  /** What others did is read. */
  sync(): Promise<void>;
  /** Whatever changes something at the provider in the meantime is done, and its response is lost. */
  losing(how: Loss, run: () => Promise<void>): Promise<void>;
  /** When the response to a write that rewrites a series is lost, so are exceptions of others that no sync has read (ADR 17). */
  losesDays?: true;
  /** Everything has to be read again. */
  forgetTokens(): Promise<void> | void;
  /** The events of the calendar, as the other person sees them. */
  seen(): Promise<Seen[]>;
  /** The emails to guests since they were last cleared. Omitted: the provider's cannot be looked at. */
  mails?(): { to: string; kind: string }[];
  clearMails?(): void;
}

/** A calendar of one provider, as an application has it. */
export interface Side {
  accountId: string;
  calendarId: string;
  accessToken: string;
  get(path: string, query: Record<string, string>): Promise<ApiResponse>;
  post(path: string, json: unknown): Promise<ApiResponse>;
  remove(path: string, json: unknown): Promise<ApiResponse>;
  others: Others;
  /** Guests are notified of each write: one that asks for the opposite is rejected. */
  alwaysNotifies?: boolean;
  /** The provider has what was written, and everything at the provider has been read. */
  settled(): Promise<void>;
  /** Omitted: Almanac itself keeps the calendar, and nobody else works in it. */
  provider?: ProviderSide;
  /** More calendars that the application has there. */
  calendars(names: readonly string[]): Promise<Side[]>;
}

/** In June, as all times of the scenarios. */
const FROM_UTC_MS = 2 * 3_600_000;

/** A time as a clock in Berlin shows it. */
export function inBerlin(utc: string): string {
  return new Date(Date.parse(utc) + FROM_UTC_MS).toISOString().slice(0, 16);
}

export const OWNER = "anna@example.com";
export const ZONE = "Europe/Berlin";
