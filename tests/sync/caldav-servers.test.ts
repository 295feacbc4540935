import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { processServices } from "@/server/http/process-services";
import { authorize, formOf, links, returnedTo, sendForm, titleOf } from "../api/connect-page";
import { applicationId, exchange, withToken } from "../api/grants";
import { runJobs } from "../api/jobs/run-jobs";
import { type Application, newApplication } from "../api/service";
import { auditOf, newOperator, type Operator, refusal } from "../api/staff/staff-caller";
import type { Login } from "../fakes/dav-server";
import { otherClient } from "../fakes/other-client";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { basicAlone } from "../fakes/small-dav/sign-in";
import { type SmallDav, startSmallDav } from "../fakes/small-dav/small-dav";
import { storedProfile } from "../fakes/stored";
import { day, ours, vevent } from "./world";

let radicale: Radicale;
/** Another server, with somebody who is called the same. */
let other: Radicale;
let admin: Operator;
/** They let people sign in by Digest alone, and in a way that no password is for. */
let digest: SmallDav;
let negotiating: SmallDav;

beforeAll(async () => {
  [radicale, other] = await Promise.all([startRadicale(), startRadicale()]);
  admin = await newOperator("admin");
  digest = await startSmallDav({ signIn: { ...basicAlone, schemes: ["digest"] } });
  negotiating = await startSmallDav({ signIn: { ...basicAlone, schemes: ["negotiate"] } });
  const origins = [radicale, other, digest, negotiating].map(({ url }) => new URL(url).origin);
  provideEnv({ CALDAV_ALLOWED_ORIGINS: origins.join(",") });
});
afterAll(() => Promise.all([radicale, other, digest, negotiating].map((one) => one.close())));
beforeEach(() => processServices().limiter.close());

const login = ({ user, password }: Login) => ({ username: user, password });

async function withServer(server: { url: string }, more: { name?: string; help?: string } = {}) {
  const application = await newApplication();
  return { application, serverId: await add(application, server, more) };
}

async function add(application: Application, { url }: { url: string }, { name = "Acme Cloud", help = "" } = {}) {
  const added = { id: await applicationId(application), name, url, help };
  return (await admin.api.applications.addCaldavServer(added)).id;
}

const formAt = async (application: Application, serverId: string) =>
  formOf(await authorize(application, { caldav_server: serverId }));

async function connected(application: Application, serverId: string, server: Login) {
  const to = returnedTo(await sendForm(await formAt(application, serverId), login(server)));
  const { json } = await exchange(application, to.searchParams.get("code") ?? "");
  return {
    accountId: json.sub as string,
    profileId: json.linking_profile.profile_id as string,
    ask: (method: string, path: string, body?: unknown) => withToken(method, path, json.access_token, body),
  };
}

describe("on the connect page", () => {
  it("a server is offered by its name after the providers, and has a form with its help", async () => {
    const help = "Create an app password\nunder Settings → Security.";
    const { application, serverId } = await withServer(radicale, { help });
    await add(application, other, { name: "Acme <Labs>" });
    const choice = await authorize(application);
    const offered = [...choice.text.matchAll(/<li><a href[^>]*>.*?<\/svg><\/span>(.*?)<svg/g)].map(([, name]) => name);
    expect(offered.slice(-2)).toEqual(["<bdi>Acme Cloud</bdi>", "<bdi>Acme &lt;Labs&gt;</bdi>"]);
    const way = links(choice).find((link) => link.includes(`caldav_server=${serverId}`));
    const form = await authorize(application, { caldav_server: serverId });
    expect(way).toContain("client_id=");
    expect(titleOf(form)).toContain("Connect your calendar on Acme Cloud");
    expect(form.text).toContain(`<p class="help">Create an app password\nunder Settings → Security.</p>`);
    expect(formOf(form).fields.caldav_server).toBe(serverId);
  });

  it("servers are offered in the order in which they were added, also within one millisecond", async () => {
    const application = await newApplication();
    const names = ["Acme E", "Acme D", "Acme C", "Acme B", "Acme A"];
    for (const [i, name] of names.entries()) await add(application, { url: `${radicale.url}${i}/` }, { name });
    const { text } = await authorize(application);
    expect([...text.matchAll(/<bdi>(Acme \w)<\/bdi>/g)].map(([, name]) => name)).toEqual(names);
  });

  it("says what is wrong, by the server's name", async () => {
    const { application, serverId } = await withServer(radicale);
    const form = await formAt(application, serverId);
    const wrong = await sendForm(form, { ...login(radicale), password: "wrong" });
    expect(wrong.text).toContain("Incorrect username or password.");
    await other.stop();
    const away = await formAt(application, await add(application, other, { name: "Away" }));
    const down = await sendForm(away, login(other));
    await other.start();
    expect(titleOf(down)).toContain("Away isn’t responding right now.");
  });

  it("a server with Digest alone connects, and tells a wrong password from a way to sign in that is not supported", async () => {
    digest.calendar("personal");
    const { application, serverId } = await withServer(digest);
    const wrong = await sendForm(await formAt(application, serverId), { ...login(digest), password: "wrong" });
    expect(wrong.text).toContain("Incorrect username or password.");
    const { ask } = await connected(application, serverId, digest);
    expect((await ask("GET", "/v1/calendars")).json.calendars).toMatchObject([{ calendar_name: "personal" }]);
    const sent = digest.asked.map(({ headers }) => String(headers.authorization ?? ""));
    expect(sent.filter((one) => !/^(Digest |$)/.test(one))).toEqual([]);
    const unsupported = await sendForm(
      await formAt(application, await add(application, negotiating)),
      login(negotiating),
    );
    expect(unsupported.text).toContain("requires a sign-in method we don’t support");
    expect(unsupported.text).not.toContain("Incorrect");
    expect(negotiating.asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it("neither another application's server nor one that was removed is one", async () => {
    const { application, serverId } = await withServer(radicale);
    const form = await formAt(application, serverId);
    const stranger = await authorize(await newApplication(), { caldav_server: serverId });
    expect(stranger.text).not.toContain('name="caldav_server"');
    await admin.api.applications.removeCaldavServer({ id: await applicationId(application), serverId });
    expect((await sendForm(form, login(radicale))).status).toBe(400);
    expect((await authorize(application, { caldav_server: serverId })).text).toContain("Choose your calendar provider");
  });
});

describe("an account at a server of the application", () => {
  it("is synced from there and written to there, also once the server is not offered any more", async () => {
    const theirs = otherClient(await radicale.makeCalendar("Team"), radicale);
    await theirs.create("theirs", vevent("theirs"));
    const { application, serverId } = await withServer(radicale);
    const { profileId, ask } = await connected(application, serverId, radicale);
    await admin.api.applications.removeCaldavServer({ id: await applicationId(application), serverId });
    const { json } = await ask("GET", "/v1/userinfo");
    expect(json["svc.data"].profiles).toMatchObject([{ profile_id: profileId, provider_name: "apple" }]);
    expect(await storedProfile(profileId)).toMatchObject({ provider: "caldav", service: "caldav" });
    const jobs = await runJobs();
    jobs.send({ name: "almanac/mailboxes.due" });
    await jobs.settle();
    const calendars = (await ask("GET", "/v1/calendars")).json.calendars as Record<string, string>[];
    const team = calendars.find(({ calendar_name }) => calendar_name === "Team")?.calendar_id;
    const query = new URLSearchParams({ from: day(-1), to: day(30), tzid: "Etc/UTC" });
    expect((await ask("GET", `/v1/events?${query}`)).json.events).toMatchObject([{ summary: "theirs" }]);
    await ask("POST", `/v1/calendars/${team}/events`, ours("written"));
    jobs.send({ name: "almanac/writes.due" });
    await jobs.settle();
    expect((await theirs.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1]).sort()).toEqual([
      "Ours written",
      "theirs",
    ]);
  });

  it("is the same one when it connects again, and another one at another server", async () => {
    const { application, serverId } = await withServer(radicale);
    const first = await connected(application, serverId, radicale);
    const again = await connected(application, serverId, radicale);
    const elsewhere = await connected(application, await add(application, other), other);
    expect(again.profileId).toBe(first.profileId);
    expect(elsewhere.profileId).not.toBe(first.profileId);
  });
});

describe("servers are added by admins", () => {
  it("with a URL that may be reached, once each, at most twenty, and audited", async () => {
    const application = await newApplication();
    const id = await applicationId(application);
    const adding = (url: string) => refusal(admin.api.applications.addCaldavServer({ id, name: "Acme", url }));
    for (const url of [
      ...["ftp://dav.acme.io/", "http://dav.acme.io/", "https://10.0.0.7/", "https://a:b@dav.acme.io/", "dav.acme.io"],
      ...["https://dav.acme.io/?user=1", "https://dav.acme.io/#x", "https://localhost/", "http://127.0.0.1:1/"],
    ]) {
      expect([url, await adding(url)]).toMatchObject([url, { kind: "invalid" }]);
    }
    const named = { id, name: "Acme\nCloud", url: "https://dav.acme.io" };
    expect(await refusal(admin.api.applications.addCaldavServer(named))).toMatchObject({ kind: "invalid" });
    const server = await add(application, { url: "https://DAV.acme.io" });
    expect(await adding("https://dav.acme.io/")).toMatchObject({ kind: "conflict" });
    expect((await admin.api.applications.get({ id })).caldavServers).toMatchObject([
      { id: server, name: "Acme Cloud", url: "https://dav.acme.io/", help: null },
    ]);
    for (let n = 1; n < 20; n += 1) await add(application, { url: `https://dav${n}.acme.io/` });
    expect(await adding("https://last.acme.io/")).toMatchObject({ kind: "conflict" });
    expect(await auditOf(id)).toContainEqual(
      expect.objectContaining({
        action: "caldav_server.added",
        detail: { server, url: "https://dav.acme.io/" },
      }),
    );
  });

  it("and a private address that was never allowed is not reached", async () => {
    const { application, serverId } = await withServer(radicale);
    await db().query("UPDATE caldav_servers SET url = 'https://127.0.0.1/' WHERE id = $1", [serverId]);
    const answer = await sendForm(await formAt(application, serverId), login(radicale));
    expect(titleOf(answer)).toContain("isn’t responding");
  });
});
