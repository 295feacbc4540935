import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { mailboxAccess } from "@/server/store/profiles/mailbox-access";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { storedProfile } from "../fakes/stored";
import { eventState } from "./caldav-pulls";
import { fileEnvironment } from "./file-environment";
import { connectOAuthPerson, type OAuthPerson } from "./oauth-person";
import { ours } from "./world";

let provider: OAuthCalendars;

beforeAll(async () => {
  provider = await startOAuthCalendars();
});
fileEnvironment(() => ({ LOG_LEVEL: "error" }));
afterAll(() => provider.close());

const connect = () => connectOAuthPerson(provider);

async function accessOf({ profileId, connector }: OAuthPerson) {
  const { connection, credential } = await storedProfile(profileId);
  return mailboxAccess(
    db(),
    connector,
    { profileId, connection, sealedCredential: credential ?? "", ownClient: null },
    { spend: async () => {} },
  );
}

it("a calendar behind OAuth is read and written", async () => {
  provider.put("standup", eventState({ summary: "Stand-up" }));
  const person = await connect();
  await person.sync();
  const calendarId = await person.calendarId("Work");
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Stand-up" }]);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("review"));
  await person.push();
  expect([...provider.events.values()].map(({ state }) => state)).toMatchObject([{}, { summary: "Ours review" }]);
  provider.put("standup", null);
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Ours review" }]);
});

it("twenty who need an access token at once make one refresh, and the next refresh goes on with the new grant", async () => {
  const access = await accessOf(await connect());
  const before = { ...provider.refreshes };
  const need = (rejected?: string) => Promise.all(Array.from({ length: 20 }, () => access.accessToken(rejected)));
  const tokens = new Set(await need());
  expect(tokens.size).toBe(1);
  expect(provider.refreshes).toEqual({ ...before, done: before.done + 1 });
  const next = new Set(await need([...tokens][0]));
  expect(next.size).toBe(1);
  expect(next).not.toEqual(tokens);
  expect(provider.refreshes).toEqual({ ...before, done: before.done + 2 });
});

it("a token that the provider refuses before its time is refreshed, and the sync goes on", async () => {
  const person = await connect();
  await person.sync();
  provider.endTokens();
  await person.sync();
  expect(await person.profile()).toMatchObject({ connected: true, sync_failures: 0, sync_error: null });
});

it("a grant that was revoked disconnects the profile, and one that the user gives again connects it", async () => {
  const person = await connect();
  await person.sync();
  provider.revoke();
  await person.sync();
  await person.sync();
  expect(await person.profile()).toMatchObject({ connected: false, sync_error: "credentials_rejected" });
  await person.connectAgain(null);
  await person.sync();
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: null });
});

it("a claim from before a reconnection gets no token and stores no credential", async () => {
  const person = await connect();
  const old = await accessOf(person);
  await person.connectAgain(null);
  await expect(old.accessToken()).rejects.toMatchObject({ fault: { kind: "credentials_rejected" } });
  await old.renewed("stale");
  expect((await accessOf(person)).credential).not.toBe("stale");
});
