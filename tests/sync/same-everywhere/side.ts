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

/** The other person who works in the calendar. Where nobody does, the application writes what she would, or it does not happen. */
export interface Others {
  rename(event: WrittenEvent, to: { summary: string; location: string }): Promise<void>;
  delete(event: WrittenEvent): Promise<void>;
  /** The occurrence of a series whose times are in Europe/Berlin, at this local time. */
  moveOccurrence(event: WrittenEvent, from: string, to: { start: string; end: string }): Promise<void>;
  cancelOccurrence(event: WrittenEvent, from: string): Promise<void>;
  accept(event: WrittenEvent, guest: string): Promise<void>;
  makePrivate(event: WrittenEvent): Promise<void>;
  create(event: TheirEvent): Promise<void>;
}

/** A calendar of one provider, as an application has it. */
export interface Side {
  calendarId: string;
  get(path: string, query: Record<string, string>): Promise<ApiResponse>;
  post(path: string, json: unknown): Promise<ApiResponse>;
  remove(path: string, json: unknown): Promise<ApiResponse>;
  others: Others;
  /** Guests are notified of each write: one that asks for the opposite is rejected. */
  alwaysNotifies?: boolean;
  /** The provider has what was written, and everything at the provider has been read. */
  settled(): Promise<void>;
}

export const OWNER = "anna@example.com";
export const ZONE = "Europe/Berlin";
