import { auth, calendar, type calendar_v3 } from "@googleapis/calendar";
import { expect } from "vitest";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";

/** Google's own client, pointed at the fake, with a token of the account. */
export function officialClient(google: GoogleFake, email = "ada@example.com", scopes?: string[]): calendar_v3.Calendar {
  return clientWith(google, google.accessToken(email, scopes));
}

/** Google's own client, pointed at the fake, with a token. */
export function clientWith(google: GoogleFake, accessToken: string): calendar_v3.Calendar {
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: accessToken });
  return calendar({ version: "v3", auth: client, rootUrl: `${google.origin}/`, retry: false });
}

/** A fake that knows Ada and Bob, Google's own client for Ada, and her primary calendar. */
export async function adaAndBob() {
  const google = await startGoogle({ accounts: [{ email: "ada@example.com" }, { email: "bob@example.com" }] });
  return { google, api: officialClient(google), state: google.account("ada@example.com").primary };
}

interface Failure {
  status?: number;
  response?: { status: number; headers: unknown; data?: { error?: { code?: number; errors?: { reason: string }[] } } };
}

/** The status and reason of a call that has to fail. */
export async function failure(call: Promise<unknown>): Promise<{ status: number; reason: string | undefined }> {
  const error = await call.then(
    () => expect.fail("The call succeeded."),
    (reason: Failure) => reason,
  );
  const { response } = error;
  expect(response).toBeDefined();
  expect(response?.data?.error?.code ?? response?.status).toBe(response?.status);
  return { status: response?.status ?? 0, reason: response?.data?.error?.errors?.[0]?.reason };
}

/** A timed event of one hour in Berlin. */
export const meeting = (more: calendar_v3.Schema$Event = {}): calendar_v3.Schema$Event => ({
  summary: "Planning",
  start: { dateTime: "2027-03-01T09:00:00", timeZone: "Europe/Berlin" },
  end: { dateTime: "2027-03-01T10:00:00", timeZone: "Europe/Berlin" },
  ...more,
});

/** The same, each week: three times before the clocks change on 28 March 2027, and more after. */
export const weekly = (more: calendar_v3.Schema$Event = {}) =>
  meeting({ recurrence: ["RRULE:FREQ=WEEKLY;COUNT=6"], ...more });
