import { z } from "zod";
import { feedAddress, MAX_REFRESH_MINUTES, MIN_REFRESH_MINUTES, REFRESH_MINUTES } from "@/server/domain/subscriptions";
import { isFaulty } from "@/server/domain/text";
import { MAX_CALLBACK_URL, MAX_SUBSCRIPTION_NAME } from "@/server/domain/text-limits";
import { nameOf, refused, sparse, text } from "@/server/services/fields";
import { id } from "@/server/services/response-fields";

const URL_RULE = "must be an https or webcal URL with a public host, on port 443 and without credentials";

/** Builds the body of POST /v1/subscriptions; feeds may be at `feedOrigins` whatever rule their addresses break. */
export function subscriptionBody(feedOrigins: readonly string[]) {
  return sparse({
    url: text({ min: 1, max: MAX_CALLBACK_URL })
      .transform((value, { issues }): string => {
        const address = isFaulty(value) ? value : feedAddress(value, feedOrigins);
        if (address !== null) return address;
        // The address is a secret: no error repeats it.
        issues.push(refused(undefined, { key: "errors.invalid" }, URL_RULE));
        return z.NEVER;
      })
      .meta({
        format: "uri",
        description: "The address of the feed: an https or webcal URL of a public host. It is never returned.",
      }),
    name: nameOf({ max: MAX_SUBSCRIPTION_NAME }).describe("What the calendar is called."),
    refresh_minutes: z
      .int()
      .min(MIN_REFRESH_MINUTES)
      .max(MAX_REFRESH_MINUTES)
      .default(REFRESH_MINUTES)
      .describe("About how often the feed is read."),
  });
}

/** The response of POST /v1/subscriptions. */
export const createdSubscriptionShape = z.object({ calendar_id: id("cal") });

/** A subscription, without its address. */
export const subscriptionShape = z.object({
  calendar_id: id("cal"),
  profile_id: id("pro").describe("Its status says whether the feed is read in time, and if not, why."),
  name: z.string(),
  host: z.string().describe("The host of the feed’s address."),
  refresh_minutes: z.int(),
});

/** The response of GET /v1/subscriptions. */
export const subscriptionsShape = z.object({ subscriptions: z.array(subscriptionShape) });
