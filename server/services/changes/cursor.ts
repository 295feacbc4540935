import { readSignedCursor, signedCursor } from "@/server/store/signed-cursor";

/** Where a client stands in the feed. */
export interface FeedPosition {
  /** Until when it knows every change, in milliseconds: what is older than the feed's memory begins again. */
  readUntil: number;
  /** By the number of a calendar the last change that was returned. A calendar that is missing begins with its first. */
  after: ReadonlyMap<number, number>;
  /** While existing events are listed: the calendar's number and the row after which to go on. Null: that is over. */
  beginning: { calendar: number; eventRow: string } | null;
}

type Packed = [readUntil: number, after: [number, number][], beginning: [number, string] | null];

/** Writes an opaque, signed cursor. */
export function writeFeedCursor({ readUntil, after, beginning }: FeedPosition, accountId: string): string {
  const packed: Packed = [readUntil, [...after], beginning && [beginning.calendar, beginning.eventRow]];
  return signedCursor(packed, { accountId, endpoint: "changes" });
}

/** Reads a cursor. Null: it is not of this account's feed. */
export function readFeedCursor(text: string, accountId: string): FeedPosition | null {
  const packed = readSignedCursor(text, { accountId, endpoint: "changes" }) as Packed | null;
  if (!packed) return null;
  const [readUntil, after, beginning] = packed;
  return {
    readUntil,
    after: new Map(after),
    beginning: beginning && { calendar: beginning[0], eventRow: beginning[1] },
  };
}
