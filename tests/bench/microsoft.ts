import type { DayOfWeek, Event } from "@microsoft/microsoft-graph-types";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { ADA, BEN, type BenchedProvider } from "@/tests/bench/provider";
import { meeting } from "@/tests/bench/provider-seed";
import { startMicrosoft } from "@/tests/fakes/microsoft/microsoft";

/** Microsoft 365, as a fake plays it. */
export async function benchedMicrosoft(): Promise<BenchedProvider> {
  const fake = await startMicrosoft({ accounts: [{ email: ADA }, { email: BEN }], knobs: { consent: "given" } });
  const { origin, client } = fake;
  const [clientId, clientSecret] = [client.id, client.secret];
  return {
    ...{ provider: "microsoft", fake, client: "@microsoft/microsoft-graph-client", mostReads: 75, mostTimesBare: 8 },
    connector: microsoftConnector({ clientId, clientSecret, provider: "microsoft", origin }),
    environment: {
      ...{ MICROSOFT_BASE_URL: origin, MICROSOFT_CLIENT_ID: clientId, MICROSOFT_CLIENT_SECRET: clientSecret },
    },
    calendar: (email) => fake.account(email).primary.id,
    fill: (email, events) => {
      for (let i = 0; i < events; i += 1) fake.account(email).primary.putEvent(graphMeeting(i));
    },
    rename: (email, subject) => {
      const { primary } = fake.account(email);
      primary.changeEvent(primary.events()[0]?.id ?? "", { subject });
    },
    // Parts of a batch are no requests of their own.
    isRead: (request) => /^GET .*(?:\/me\/calendars|\/delta|\/events)$|^POST .*\/\$batch$/.test(request),
  };
}

/** The i-th meeting of `meeting`, as Graph writes it. */
export function graphMeeting(i: number): Event {
  const { summary: subject, location, description, day, from, to, isSeries } = meeting(i);
  const at = (dateTime: string) => ({ dateTime, timeZone: "W. Europe Standard Time" });
  const person = (name: string) => ({ emailAddress: { name, address: `${name.toLowerCase()}@example.org` } });
  return {
    ...{ subject, start: at(from), end: at(to), location: { displayName: location } },
    body: { contentType: "text", content: description },
    ...(isSeries && {
      recurrence: {
        pattern: { type: "weekly", interval: 1, daysOfWeek: [weekdayOf(day)] },
        range: { type: "numbered", startDate: day, numberOfOccurrences: 10 },
      },
    }),
    organizer: person("Ann"),
    attendees: [
      { ...person("Ann"), type: "required", status: { response: "organizer" } },
      { ...person("Bo"), type: "required", status: { response: "none" } },
    ],
  };
}

function weekdayOf(day: string): DayOfWeek {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString("en", { weekday: "long" }).toLowerCase() as DayOfWeek;
}
