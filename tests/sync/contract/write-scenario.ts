import type { Others, Seen, WrittenEvent } from "./side";
import { ZONE } from "./side";

/** What the application does to its event, and what the other person does to it, by the name that it has for her. */
export interface Acting {
  write(changes?: object): Promise<void>;
  skip(date: string): Promise<void>;
  change(date: string, changes: object): Promise<void>;
  /** The series has no occurrence on this date: neither of the two is accepted. */
  hasNot(date: string): Promise<void>;
  remove(): Promise<void>;
  others: Others;
  event: WrittenEvent;
}

export interface Step {
  /** What others do first. */
  others?(acting: Acting): Promise<void>;
  /** What they did is read before the application does anything. */
  isRead?: true;
  /** What the application then does, all of which is brought to the provider at once. */
  does?(acting: Acting): Promise<void>;
  /** What follows before anything is read, and is brought to the provider in turn. */
  follows?(acting: Acting): Promise<void>;
  /** Start and name of each occurrence in reads after that. */
  reads: [start: string, summary: string][];
  /** What else each of them has in reads. */
  fields?: object;
  /** What the other person then sees of the event. Where reads have none, she sees none. */
  seen?: Partial<Seen>;
  /** The application is notified, once, of what others did. */
  notifies?: true;
  /** The emails to the guest of the scenario. */
  mails?: string[];
}

export interface Scenario {
  name: string;
  event: object;
  /** Somebody other than the application works in the calendar, or a provider is told of the event. Almanac's own calendars have neither. */
  needsProvider?: true;
  /** The application rewrites a series of which others have just made exceptions. */
  rewritesDays?: true;
  /** Whom the event invites. */
  guest?: string;
  steps: Step[];
}

export const at = (date: string, time: string) => ({ time: `${date}T${time}:00`, tzid: ZONE });

/** The tenth of June at two in the afternoon, for an hour. */
export const hour = { start: at("2025-06-10", "14:00"), end: at("2025-06-10", "15:00") };
export const inUtc = { start: "2025-06-10T12:00:00Z", end: "2025-06-10T13:00:00Z" };

/** The hour on so many days. */
export const daily = (count: number, more: object = {}) => ({
  ...{ ...hour, recurrence: { rules: [{ frequency: "daily", count }], ...more } },
});

/** The hour on these days of June, as reads give it. */
export const named = (summary: string, ...days: number[]) =>
  days.map((day): [string, string] => [`2025-06-${day}T14:00`, summary]);
