import { z } from "zod";

const schema = z.object({
  /** The feed's address: whoever knows it can read the calendar. */
  url: z.string(),
  /** What the calendar is called. */
  name: z.string(),
  /** How often the feed is read. */
  refreshMinutes: z.number(),
});

/** What a feed is read with. Never logged. */
export type FeedCredential = z.infer<typeof schema>;

export function sealable(credential: FeedCredential): string {
  return JSON.stringify(credential);
}

export function credentialOf(credential: string): FeedCredential {
  return schema.parse(JSON.parse(credential));
}
