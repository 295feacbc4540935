import {
  AuthenticationHandler,
  Client,
  type Context,
  type GraphError,
  type Middleware,
  PageIterator,
} from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { expect } from "vitest";
import { type MicrosoftFake, type MicrosoftOptions, startMicrosoft } from "../../fakes/microsoft/microsoft";

/** Microsoft's own client, pointed at the fake, with a token of the account. */
export function graphClient(microsoft: MicrosoftFake, email = "ada@example.com", scopes?: string[]): Client {
  return clientWith(microsoft, microsoft.accessToken(email, scopes));
}

/** Microsoft's own client, pointed at the fake, with a token. It repeats nothing by itself. */
export function clientWith(microsoft: MicrosoftFake, token: string): Client {
  const signIn = new AuthenticationHandler({ getAccessToken: async () => token });
  signIn.setNext(withoutTls(microsoft.origin));
  const baseUrl = `${microsoft.origin.replace("http:", "https:")}/`;
  return Client.initWithMiddleware({ middleware: signIn, baseUrl, customHosts: new Set(["127.0.0.1"]) });
}

/** The client gives its token to https alone, and follows no other links: this stands where a server with a certificate would. */
function withoutTls(origin: string): Middleware {
  return {
    async execute(context: Context) {
      const response = await fetch(String(context.request).replace("https:", "http:"), context.options);
      const text = (await response.text()).replaceAll(origin, origin.replace("http:", "https:"));
      const { status, headers } = response;
      context.response = new Response(text === "" ? null : text, { status, headers });
    },
  };
}

/** A fake that knows Ada and Bob of a company and Eve of Outlook.com, Microsoft's own client for Ada, and her default calendar. */
export async function adaOfMicrosoft(options: MicrosoftOptions = {}) {
  const accounts: MicrosoftOptions["accounts"] = [
    { email: "ada@example.com", name: "Ada Lovelace" },
    { email: "bob@example.com", name: "Bob" },
    { email: "eve@outlook.test", name: "Eve", kind: "personal" },
  ];
  const microsoft = await startMicrosoft({ accounts, ...options });
  return { microsoft, api: graphClient(microsoft), state: microsoft.account("ada@example.com").primary };
}

/** The status and the code of a call that has to fail. */
export async function failure(call: Promise<unknown>): Promise<{ status: number; code: string | null }> {
  const error = await call.then(
    () => expect.fail("The call succeeded."),
    (reason: GraphError) => reason,
  );
  return { status: error.statusCode, code: error.code };
}

const berlin = "W. Europe Standard Time";

/** A timed event of one hour in Berlin. */
export const meeting = (more: Event = {}): Event => ({
  subject: "Planning",
  start: { dateTime: "2027-03-01T09:00:00", timeZone: berlin },
  end: { dateTime: "2027-03-01T10:00:00", timeZone: berlin },
  ...more,
});

/** The same, each Monday: four times before the clocks change on 28 March 2027, and two more after. */
export const weekly = (more: Event = {}): Event =>
  meeting({
    recurrence: {
      pattern: { type: "weekly", interval: 1, daysOfWeek: ["monday"], firstDayOfWeek: "monday" },
      range: { type: "numbered", startDate: "2027-03-01", numberOfOccurrences: 6 },
    },
    ...more,
  });

/** A guest as a client writes one. */
export const guest = (address: string) => ({ type: "required" as const, emailAddress: { address, name: address } });

/** A list as Graph sends it. */
export interface Listed<T = Event> {
  value: (T & { "@removed"?: { reason: string } })[];
  "@odata.nextLink"?: string;
  "@odata.deltaLink"?: string;
  "@odata.count"?: number;
}

/** Every row of a list and of the pages after it, and the link at its end, as the client's own iterator reads them. */
export async function everyPage(api: Client, path: string, prefer?: string) {
  const headers: Record<string, string> = prefer ? { Prefer: prefer } : {};
  const first: Listed = await api.api(path).headers(headers).get();
  const rows: Listed["value"] = [];
  const iterator = new PageIterator(api, first, (row) => rows.push(row) > 0, { headers });
  await iterator.iterate();
  return { rows, link: iterator.getDeltaLink() ?? "" };
}
