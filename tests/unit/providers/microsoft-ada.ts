import { onTestFinished } from "vitest";
import { whole } from "@/server/domain/pieces";
import { egressFetch } from "@/server/egress/fetch";
import { graphApi } from "@/server/providers/microsoft/api";
import { microsoftEndpoints } from "@/server/providers/microsoft/endpoints";
import { eventRead } from "@/server/providers/microsoft/read-series";
import { itemOf } from "@/server/providers/microsoft/series-items";
import { type MicrosoftOptions, startMicrosoft } from "../../fakes/microsoft/microsoft";

export const ADA = "ada@example.com";

/** Ada's default calendar at Microsoft until the test is over, and our requests to it. */
export async function adaAtMicrosoft(options: MicrosoftOptions = {}) {
  const fake = await startMicrosoft(options);
  onTestFinished(() => fake.close());
  const fetch = egressFetch({ trustedOrigins: [fake.origin], deadlineMs: 30_000, mostBytes: 1024 * 1024 });
  const token = fake.accessToken(ADA);
  const api = graphApi(fetch, microsoftEndpoints(fake.origin, "organizations").graph, {
    accessToken: async () => token,
  });
  const { primary: calendar } = fake.account(ADA);
  /** An event as it is stored. */
  const read = async (id: string, calendarTzid: string | null = null) => {
    const item = await itemOf(api, calendar.id, id);
    const event = item && whole(eventRead(item, calendarTzid));
    if (!event) throw new Error("The event could not be read.");
    return event;
  };
  return { fake, api, calendar, read };
}
