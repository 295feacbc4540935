import type { Verdict } from "@/server/domain/provider-responses/verdicts";

/** What a provider is to notify us of. */
export interface WatchTarget {
  /** The provider's name of a calendar. Null: the list of calendars. */
  calendarId: string | null;
  /** Where it sends notices, each with the channel and the secret. */
  url: string;
  channel: string;
  secret: string;
}

export interface Watch {
  channel: string;
  /** The provider's own name of it. */
  resource: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** The provider does not notify us of a calendar. */
export interface NoWatch {
  /** For staff. Null: it never does of such a calendar. */
  refusedFor: string | null;
}

/** Describes what a refusal to watch a calendar means. */
export function noWatch(verdict: Verdict, reason: string): NoWatch {
  return { refusedFor: verdict === "never_watched" ? null : reason };
}

export interface Watching {
  start(target: WatchTarget): Promise<Watch | NoWatch>;
  /** Continues a watch under its channel, or replaces it by one with the target's. The one that is replaced is stopped. */
  renew(watch: Watch, target: WatchTarget): Promise<Watch | NoWatch>;
  stop(watch: Watch): Promise<void>;
}

/** A request to the address of a provider's notices, from anybody. */
export interface HookRequest {
  headers: Headers;
  query: URLSearchParams;
  body: string;
}

export interface HookNotice {
  channel: string;
  secret: string;
  /** `ended`: the provider has ended the watch before its time. `renew`: it will, unless the watch is renewed. */
  kind: "changed" | "ended" | "renew";
}

/** The provider asks whether the address is ours: it gets this text back. */
export interface HookChallenge {
  challenge: string;
}
