import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { ADA, BEN, type BenchedProvider } from "@/tests/bench/provider";
import { graphMeeting } from "@/tests/fakes/microsoft/graph-meeting";
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
