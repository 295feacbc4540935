import { z } from "zod";

const schema = z.object({
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** The ctag of the content that was last believed. */
  ctag: z.string(),
  /** How many events it had. */
  events: z.number(),
  /** Whether it had an end. */
  isWhole: z.boolean(),
  /** Since when the feed is suddenly empty or cut off, in milliseconds since 1970. Null: it is not. */
  suspectSince: z.number().nullable(),
});

/** What is known of a feed's content from the last read, as the sync token of the list of calendars holds it. */
export type ReadingState = z.infer<typeof schema>;

export function stateToken(state: ReadingState): string {
  return JSON.stringify(state);
}

/** Reads what is known. Null: nothing is. */
export function stateOf(token: string | null): ReadingState | null {
  return token === null ? null : schema.parse(JSON.parse(token));
}
