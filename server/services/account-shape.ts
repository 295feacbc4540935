import { z } from "zod";
import { userinfoPrefix, type Vocabulary } from "@/server/domain/wire-names";
import type { profileShape } from "@/server/services/profiles/response-shape";
import { id } from "@/server/services/response-fields";

const emailMeans =
  "The address that the calendar's provider names. It is not verified: with Microsoft, an organization's administrator can set any address. Don't use it to sign users in or to match them with accounts you have; use the account ID.";
const kind = z.enum(["account", "application_calendar"]);

/** "Account (GET /v1/account)". */
export const accountShape = z.object({
  account: z.object({
    account_id: id("acc", "apc"),
    type: kind,
    email: z.string().describe(emailMeans),
    name: z.string(),
    scope: z.string(),
    default_tzid: z.string(),
  }),
});

export type AccountShape = z.output<typeof accountShape>;

interface UserinfoOptions {
  names: Vocabulary;
  compatibilityMode: boolean;
  profile: ReturnType<typeof profileShape>;
}

/**
 * Builds the "Userinfo" shape. In compatibility mode its `type` and `data` have another prefix. An application calendar
 * has no `email`.
 */
export function userinfoShape({ names, compatibilityMode, profile }: UserinfoOptions) {
  const prefix = userinfoPrefix(names, compatibilityMode);
  return z.object({
    sub: id("acc", "apc"),
    application_calendar_id: z.string().optional().describe("Only for application calendars, instead of `email`."),
    email: z.string().optional().describe(emailMeans),
    name: z.string(),
    zoneinfo: z.string(),
    [`${prefix}.type`]: kind,
    [`${prefix}.data`]: z.object({
      authorization: z.object({ scope: z.string(), status: z.literal("active") }),
      application_calendar: z.object({ application_calendar_id: z.string() }).optional(),
      profiles: z.array(profile).describe("Every connected profile, with its calendars."),
    }),
  });
}
