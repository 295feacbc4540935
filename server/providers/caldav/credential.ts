import { z } from "zod";
import { signInSchemes } from "@/server/providers/caldav/authentication";

const schema = z.object({
  username: z.string(),
  password: z.string(),
  /** How the server lets the account sign in; omitted: by Basic. */
  scheme: z.enum(signInSchemes).optional(),
  /** Where the calendars are: a whole address, as discovery found it; null: the account has none. */
  home: z.string().nullable(),
  /** Further places of the same server where calendars are; omitted: there are none. */
  moreHomes: z.array(z.string()).optional(),
  /** The account's own email addresses, the one to organize with first (RFC 6638, calendar-user-address-set). */
  addresses: z.array(z.string()),
  displayName: z.string().nullable(),
  /** Where discovery begins at a server that the account's application offers; omitted: at the entry point that is configured. */
  server: z.string().optional(),
});

/** What a connected account is reached with. Never logged. */
export type Credential = z.infer<typeof schema>;

export function sealable(credential: Credential): string {
  return JSON.stringify(credential);
}

export function credentialOf(credential: string): Credential {
  return schema.parse(JSON.parse(credential));
}
