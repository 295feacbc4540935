import { expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { connectorOf } from "@/server/providers/connectors";
import { workRevocations } from "@/server/sync/revocations";
import { address } from "../api/service";
import { setCompatible, setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, google } from "./google-person";
import { day } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const EMAIL = "ada@example.com";

async function watched() {
  const provider = await google();
  const person = await connectGooglePerson(provider);
  const hook = `${await address()}/hooks/google`;
  const { syncing } = person.loops({ hookUrl: () => hook });
  onTestFinished(() => syncing.stop());
  await setSyncDue(person.profileId, new Date());
  await syncing.drain(60_000);
  const calendarId = await person.calendarId(EMAIL);
  provider.requests.length = 0;
  const names = async () => {
    await syncing.drain(60_000);
    return (await person.events(calendarId)).map(({ summary }: { summary: string }) => summary);
  };
  return { provider, person, syncing, hook, names, primary: provider.account(EMAIL).primary };
}

it("a change is read as soon as Google notifies us of it, by at most two requests", async () => {
  const { provider, names, primary } = await watched();
  expect(provider.channels).toHaveLength(2);
  const at = (time: string) => ({ dateTime: `${day(2)}T${time}:00`, timeZone: "Europe/Berlin" });
  primary.putEvent({ summary: "Stand-up", start: at("10:00"), end: at("11:00") });
  await expect.poll(names).toEqual(["Stand-up"]);
  expect(provider.requests.filter(({ path }) => path.startsWith("/calendar/v3")).length).toBeLessThanOrEqual(2);
});

it("a notice that comes twice, late or forged reads nothing twice and changes nothing", async () => {
  const { provider, hook, names, primary } = await watched();
  provider.notices.mode = "hold";
  provider.notices.copies = 3;
  const at = (time: string) => ({ dateTime: `${day(2)}T${time}:00`, timeZone: "Europe/Berlin" });
  primary.putEvent({ summary: "Stand-up", start: at("10:00"), end: at("11:00") });
  await provider.notices.release("reversed");
  await provider.notices.settled();
  await expect.poll(names).toEqual(["Stand-up"]);
  provider.requests.length = 0;
  const [channel] = provider.channels;
  const forged = {
    "x-goog-channel-id": channel?.id ?? "",
    "x-goog-channel-token": "guessed",
    "x-goog-resource-state": "exists",
  };
  expect((await fetch(hook, { method: "POST", headers: forged })).status).toBe(202);
  expect(await names()).toEqual(["Stand-up"]);
  expect(provider.requests).toEqual([]);
});

it("an account whose data is deleted has its channels stopped and its grant revoked", async () => {
  const { provider, person } = await watched();
  const { clientId: client_id, clientSecret: client_secret } = person.application;
  await setCompatible(client_id);
  const body = new URLSearchParams({ client_id, client_secret, sub: person.accountId });
  expect((await fetch(`${await address()}/oauth/token/revoke`, { method: "POST", body })).status).toBe(200);
  await workRevocations(db(), connectorOf);
  const sent = provider.requests.map(({ method, path }) => `${method} ${path}`);
  expect(sent.filter((one) => one === "POST /calendar/v3/channels/stop")).toHaveLength(2);
  expect(sent).toContain("POST /revoke");
});
