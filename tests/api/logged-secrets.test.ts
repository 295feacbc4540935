import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { newSigningSecret, newToken } from "@/server/db/new-id";
import { basic } from "./availability";
import { connectAccount, credentialsOf, exchange, issueCode, REDIRECT_URI } from "./grants";
import { ownDatabase } from "./own-database";
import { rawRequest } from "./raw-request";
import { dump, expectNone, output } from "./searched-secrets";
import { type Application, call, newApplication, newProcessServices } from "./service";

// Everything that is stored is looked through.
ownDatabase();

interface Secrets {
  application: Application;
  calendarId: string;
  accessToken: string;
  /** All that nobody may find anywhere. */
  all: string[];
}

async function secretsOfOne(): Promise<Secrets> {
  const application = await newApplication({ clientSecret: newToken() });
  const account = await connectAccount(application);
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const code = await issueCode(application, account, { challenge });
  const { json } = await exchange(application, code, { code_verifier: verifier });
  const unused = await issueCode(application, account);
  const all = [
    json.access_token,
    json.refresh_token,
    application.clientSecret,
    code,
    unused,
    verifier,
    newSigningSecret(),
  ];
  return { application, calendarId: account.calendarIds.writable, accessToken: json.access_token, all };
}

async function expectNowhere(secrets: string[], printed: { text(): string }): Promise<void> {
  const stored = await dump();
  expect(stored).toContain("/v1/");
  expectNone(secrets, stored);
  expectNone(secrets, printed.text());
}

/** What is told from an id wherever it stands. */
const isLive = (secret: string) => /^(?:at|rt|lt|whsec)_/.test(secret);
const escaped = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");

describe("secrets", () => {
  beforeEach(newProcessServices);

  it("are nowhere, whatever the content type under which a body was sent", async () => {
    const printed = output();
    const { application, calendarId, accessToken, all } = await secretsOfOne();
    const json = JSON.stringify({ ...credentialsOf(application), grant_type: "authorization_code", code: all[4], all });
    // As curl sends JSON, beside credentials that are right: without them nothing of a body is stored.
    const asKeys = Object.fromEntries(
      [json, ...all.map((secret) => JSON.stringify({ code: secret }))].map((key) => [key, ""]),
    );
    const form = new URLSearchParams({ ...credentialsOf(application), grant_type: "x", token: "none", ...asKeys });
    const types = [
      "application/x-www-form-urlencoded",
      "application/x-www-form-urlencoded; charset=utf-8",
      "application/json",
      "application/vnd.acme+json",
      "text/plain",
      "multipart/form-data; boundary=x",
      ...all.map((secret) => `application/json; boundary=${secret}`),
      "",
    ];
    const small = ["/oauth/token", "/oauth/token/revoke", "/v1/application_calendars", "/v1/channels"];
    small.push("/v1/availability");
    for (const type of types) {
      const headers = { "content-type": type, authorization: `Bearer ${accessToken}` };
      for (const body of [json, form.toString(), ...all, `${all[0]}=${all[1]}`, `[${json}]`, `{"${json}`]) {
        for (const path of small) {
          await rawRequest({ method: "POST", target: path, headers, body });
        }
        await rawRequest({ method: "POST", target: `/v1/calendars/${calendarId}/events`, headers, body });
      }
      await newProcessServices();
    }
    await expectNowhere(all, printed);
    expect(await dump()).toContain('"client_secret":"[redacted]"');
  });

  it("are nowhere, in whichever key of a body they stand", async () => {
    const printed = output();
    const { application, calendarId, accessToken, all } = await secretsOfOne();
    const headers = { authorization: `Bearer ${accessToken}` };
    for (const secret of all) {
      const keys = [
        secret,
        ` ${secret}`,
        `x${secret}`,
        `a.${secret}`,
        `${secret}[]`,
        `"${secret}"`,
        escaped(secret),
        `{"code":"${secret}"}`,
      ];
      for (const key of keys) {
        const inside = {
          [key]: secret,
          attendees: { [key]: [{ [key]: 1 }] },
          recurrence: { rules: [{ [key]: { type: key } }] },
        };
        const credentials = credentialsOf(application);
        await call("POST", `/v1/calendars/${calendarId}/events`, { json: { ...inside, event_id: "1" }, headers });
        await call("POST", "/v1/channels", { json: { callback_url: "x", filters: inside }, headers });
        const members = [{ ...inside, sub: secret, calendar_ids: [secret] }];
        const question = { ...inside, participants: [{ ...inside, members }], as_of: inside };
        for (const sent of [headers, basic(application), { authorization: `Bearer ${application.clientSecret}` }])
          await call("POST", "/v1/availability", { json: question, headers: sent });
        await call("POST", "/oauth/token", { json: { ...credentials, ...inside, grant_type: secret }, headers });
        await call("POST", "/oauth/token/revoke", { form: { ...credentials, [key]: secret, token: "none" } });
      }
    }
    await expectNowhere(all, printed);
  });

  it("that are live are nowhere, however a path spells them", async () => {
    const printed = output();
    const { accessToken, all } = await secretsOfOne();
    const headers = { authorization: `Bearer ${accessToken}` };
    const live = all.filter(isLive);
    expect(live).toHaveLength(3);
    for (const secret of live) {
      const spellings = [
        secret,
        `%20${secret}`,
        `%22${secret}%22`,
        `x${secret}`,
        secret.replace("_", "%5F"),
        secret.replace("_", "%255f"),
        escaped(secret),
        escaped(escaped(secret)),
        escaped(escaped(escaped(escaped(secret.slice(0, 30))))),
        `%${secret}`,
        `%zz${secret}`,
        `%e4${secret.replace("_", "%5F")}`,
        ...["%0A", "%00", "%20", "%E2%80%8B", "%C2%AD", "%2500", "%2%30"].flatMap((unseen) => [
          secret.replace("_", `${unseen}_`),
          secret.replace("_", `_${unseen}`),
          `${secret.slice(0, 9)}${unseen}${secret.slice(9)}`,
          [...secret].join(unseen),
        ]),
        `${"x".repeat(120)}${secret}`,
        `${"x".repeat(490)}${secret}`,
      ];
      for (const spelt of spellings) {
        for (const path of [
          `/v1/calendars/${spelt}/events`,
          `/v1/${spelt}`,
          `/oauth/${spelt}`,
          `/v1/channels/${spelt}`,
          `/${spelt}`,
        ]) {
          for (const sent of [headers, undefined])
            await rawRequest({ method: "DELETE", target: path, headers: sent, isUnchecked: true });
        }
        await newProcessServices();
      }
    }
    await expectNowhere(live, printed);
  });

  it("without a prefix are nowhere, in a path or where an id or a cursor belongs", async () => {
    const printed = output();
    const { calendarId, accessToken, all } = await secretsOfOne();
    const secrets = all.filter((secret) => !isLive(secret));
    expect(secrets).toHaveLength(4);
    const headers = { authorization: `Bearer ${accessToken}` };
    for (const secret of secrets) {
      const split = `${secret.slice(0, 9)}%0A${secret.slice(9)}`;
      for (const spelt of [secret, escaped(secret), split, `x${secret}`, `%22${secret}%22`]) {
        for (const path of [
          `/v1/calendars/${spelt}/events`,
          `/v1/channels/${spelt}`,
          `/v1/${spelt}`,
          `/oauth/${spelt}`,
        ])
          for (const sent of [headers, undefined])
            await rawRequest({ method: "DELETE", target: path, headers: sent, isUnchecked: true });
      }
      for (const spelt of [secret, escaped(secret), split]) {
        const query = `tzid=Etc/UTC&calendar_ids[]=${encodeURIComponent(spelt)}`;
        await call("GET", `/v1/events?${query}`, { headers });
        await call("GET", `/v1/events?tzid=Etc/UTC&cursor=${encodeURIComponent(spelt)}`, { headers });
        const json = { event_id: spelt, cursor: spelt, calendar_id: spelt, calendar_ids: [spelt], account_id: spelt };
        await call("DELETE", `/v1/calendars/${calendarId}/events`, { json, headers });
        await call("POST", "/v1/channels", { json: { ...json, filters: json }, headers });
      }
      await call("GET", "/v1/account", { headers: { ...headers, "svc-request-id": secret } });
      await newProcessServices();
    }
    const stored = await dump();
    expect(stored).toContain("/v1/calendars/[redacted]/events");
    expect(stored).toContain(`/v1/calendars/${calendarId}/events`);
    await expectNowhere(secrets, printed);
  });

  it("are nowhere, in whichever header or parameter they stand", async () => {
    const printed = output();
    const { accessToken, all } = await secretsOfOne();
    const names =
      "accept accept-encoding accept-language cache-control content-encoding content-type cookie date from origin pragma referer user-agent x-api-key x-forwarded-for";
    for (const secret of all) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const values = [secret, `x ${secret}`, `a="${secret}"; b`, escaped(secret), `https://acme.io/?code=${secret}`];
      for (const value of values) {
        for (const name of names.split(" ")) {
          await rawRequest({ method: "GET", target: "/v1/account", headers: { ...headers, [name]: value } });
        }
        const encoded = encodeURIComponent(value);
        for (const query of [
          encoded,
          `${encoded}=1`,
          `state=${encoded}`,
          `tzid=${encoded}`,
          `a[${encoded}]=1`,
          ...(isLive(secret) ? [`cursor=x${encoded}%`] : []),
        ]) {
          await rawRequest({ method: "GET", target: `/v1/events?${query}`, headers });
          const link = `response_type=code&redirect_uri=${encodeURIComponent(REDIRECT_URI)}&${query}`;
          await rawRequest({
            method: "GET",
            target: `/oauth/authorize?client_id=${isLive(secret) ? encoded : "x"}&${link}`,
          });
        }
      }
      // Standard base64 can hold what no header's name may (RFC 9110, 5.6.2): up to there it is a name.
      const name = /^[\w+-]+/.exec(secret)?.[0] ?? "";
      await rawRequest({
        method: "GET",
        target: "/v1/account",
        headers: { ...headers, [name]: "1", [`x-${name}`]: "1" },
      });
      await newProcessServices();
    }
    await expectNowhere(all, printed);
  });
});
