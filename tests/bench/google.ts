import { googleConnector } from "@/server/providers/google/connector";
import { ADA, BEN, type BenchedProvider } from "@/tests/bench/provider";
import { startGoogle } from "@/tests/fakes/google/google";
import type { EventResource } from "@/tests/fakes/google/state";
import { meeting } from "@/tests/fakes/meetings";

/** Google, as a fake plays it. */
export async function benchedGoogle(): Promise<BenchedProvider> {
  const fake = await startGoogle({ accounts: [{ email: ADA }, { email: BEN }], knobs: { consent: "given" } });
  const { origin, client } = fake;
  return {
    ...{ provider: "google", fake, client: "@googleapis/calendar", mostReads: 6, mostTimesBare: 4 },
    connector: googleConnector({ clientId: client.id, clientSecret: client.secret, origin }),
    environment: { GOOGLE_BASE_URL: origin, GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret },
    calendar: (email) => email,
    fill: (email, events) => {
      for (let i = 0; i < events; i += 1) fake.account(email).primary.putEvent(event(i));
    },
    rename: (email, summary) => {
      const { primary } = fake.account(email);
      primary.changeEvent(primary.events()[0]?.id ?? "", { summary });
    },
    isRead: (request) => /^GET .*(?:\/calendarList|\/events)$/.test(request),
  };
}

function event(i: number): EventResource {
  const { summary, location, description, from, to, isSeries } = meeting(i);
  const at = (dateTime: string) => ({ dateTime, timeZone: "Europe/Berlin" });
  return {
    ...{ summary, location, description, start: at(from), end: at(to) },
    ...(isSeries && { recurrence: ["RRULE:FREQ=WEEKLY;COUNT=10"] }),
    attendees: [
      { email: "ann@example.org", displayName: "Ann", responseStatus: "accepted", organizer: true },
      { email: "bo@example.org", displayName: "Bo", responseStatus: "needsAction" },
    ],
  };
}
