import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createPkce } from "@/sdk/src/index";
import { operations } from "@/server/http/routes/all";
import { signedHeaders } from "@/server/webhooks/sign";
import { fakeClock } from "../../fakes/clock";
import { storeProviderEvents } from "../../fakes/stored-events";
import { loggedRequests } from "../../fakes/stored-traffic";
import { dayFromNow } from "../dates";
import { findLanguage } from "../docs/languages.mjs";
import { applicationId, connectAccount, connectedWithTokens, credentialsOf, issueCode, REDIRECT_URI } from "../grants";
import { address, newApplication, openCalendar } from "../service";
import { operationOf } from "./operation-of";

const folder = resolve(import.meta.dirname, "../../../sdk/python");

describe("the Python client", () => {
  it("retries what is safe, waits and stays with its address", async () => {
    const { code, err } = await python("test_retries.py", {}, "");
    expect([code, /Ran (\d+) tests/.exec(err)?.[1]], err).toEqual([0, "11"]);
  });

  it("has a method for every operation, refreshes once and reads pages at the service", async () => {
    const application = await newApplication();
    const { code, out, err } = await python(
      "test_service.py",
      {
        ALMANAC_SCENE: JSON.stringify(await scene(application)),
      },
      "",
    );
    expect([code, /Ran (\d+) tests/.exec(err)?.[1]], err).toEqual([0, "6"]);
    const called = [...out.matchAll(/^called (\w+) (\S+)$/gm)].map(([, method = "", path = ""]) =>
      operationOf(method, path),
    );
    const own = operations.filter(({ id }) => id !== "registerClient");
    expect([...new Set(["authorize", ...called])].toSorted()).toEqual(own.map(({ id }) => id).toSorted());
    // By the service's own count: two codes, two refreshes that 20 threads waited for, and one that was refused.
    const owner = await applicationId(application);
    const tokens = (await loggedRequests({ path: "/oauth/token" })).filter((row) => row.applicationId === owner);
    expect(tokens.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 400]);
  });

  it("waits as long as Retry-After says at the service's rate limit, and then goes on", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const given = { ALMANAC_SCENE: JSON.stringify(await scene(application)) };
    clock.advance(60_000);
    const waits: number[] = [];
    const { code, out, err } = await python("at_the_rate_limit.py", given, (seconds) => {
      waits.push(seconds);
      clock.advance(seconds * 1_000);
    });
    expect(code, err).toBe(0);
    expect(JSON.parse(out.split("\n").at(-2) ?? "")).toEqual([...Array(150).fill(200), 429, 200]);
    expect(waits).toEqual([1.05]);
  });

  it("accepts what Almanac sends and rejects everything else, each with its reason", async () => {
    const given = deliveries();
    const { code, out, err } = await python(
      "verify_deliveries.py",
      {},
      JSON.stringify(given.map(([, , each]) => each)),
    );
    expect(code, err).toBe(0);
    const outcomes: string[] = JSON.parse(out);
    expect(given.map(([name], index) => [name, outcomes[index]])).toEqual(
      given.map(([name, expected]) => [name, expected]),
    );
  });

  it("says one version, needs nothing but Python, and has the license", () => {
    const read = (path: string) => readFileSync(join(folder, path), "utf8");
    const version = /^version = "(.+)"$/m.exec(read("pyproject.toml"))?.[1];
    expect(read("src/almanac_calendar/version.py")).toBe(`VERSION = "${version}"\n`);
    expect(read("pyproject.toml")).toContain("dependencies = []");
    expect(read("LICENSE")).toBe(readFileSync(join(folder, "../../LICENSE"), "utf8"));
  });
});

/** What the tests in Python can't make themselves: connected accounts and a full calendar. */
async function scene(application: Awaited<ReturnType<typeof newApplication>>) {
  const { codeVerifier, codeChallenge } = await createPkce();
  const connected = await connectAccount(application);
  const code = await issueCode(application, connected, { challenge: codeChallenge });
  const other = await connectedWithTokens(application);
  const full = await openCalendar(application, "python-full");
  const day = { start: `${dayFromNow(1)}T09:00:00Z`, end: `${dayFromNow(1)}T10:00:00Z` };
  const events = Array.from({ length: 700 }, (_, index) => ({
    ...day,
    calendarId: full.calendarId,
    eventId: `${index}`,
  }));
  await storeProviderEvents(events);
  return {
    base_url: await address(),
    redirect_uri: REDIRECT_URI,
    ...credentialsOf(application),
    connected: { account_id: connected.accountId, code, code_verifier: codeVerifier },
    readonly: {
      calendar_id: other.calendarIds.readonly,
      tokens: { access_token: other.accessToken, refresh_token: other.refreshToken },
    },
    full: { access_token: full.accessToken, refresh_token: full.refreshToken },
  };
}

type Outcome = [name: string, outcome: string, delivery: object];

function deliveries(): Outcome[] {
  const now = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({
    notification: { type: "change", changes_since: "2026-11-24T09:59:00Z" },
    channel: { channel_id: "chn_1", callback_url: "https://app.acme.io/jours-fériés", filters: {} },
  });
  const signing = {
    ...{ deliveryId: "whd_1", attempt: 2, body, clientSecrets: ["client"], channelSecret: "whsec_1" },
    compatibilityMode: false,
  };
  const headersOf = (change: Partial<typeof signing> = {}, age = 0): Record<string, string> => ({
    ...signedHeaders({ ...signing, ...change, now: (now - age) * 1_000 }),
  });
  const good = headersOf();
  const sent = (
    change: { body?: string; headers?: Record<string, string>; client_secret?: unknown; signing_secret?: unknown } = {},
  ) => {
    const { body: text = body, ...more } = change;
    const secrets = { client_secret: "client", signing_secret: "whsec_1" };
    return { headers: good, ...secrets, now, ...more, body: Buffer.from(text).toString("base64") };
  };
  const accepted = "accepted whd_1 2 change";
  const bodyOf = (text: string) => ({ body: text, headers: headersOf({ body: text }) });
  const trigger = JSON.stringify({ notification: { type: "trigger", trigger_id: "trg_1", event_uid: "evt_1" } });
  const mailbox = JSON.stringify({ authorization: { code: "c", state: "s" } });
  return [
    ["as it was sent", accepted, sent()],
    ["of a mailbox", "accepted c", sent(bodyOf(mailbox))],
    ["of a mailbox with another body", "wrong_hmac", sent({ ...bodyOf(mailbox), body: mailbox.replace('"c"', '"d"') })],
    ["of a trigger, without a channel", "accepted whd_1 2 trigger", sent(bodyOf(trigger))],
    [
      "of a change without a channel",
      "invalid_body",
      sent(bodyOf(trigger.replace('"trigger"', '"change"').replace("trigger_id", "id"))),
    ],
    ["with other letters in its headers", accepted, sent({ headers: upper(good) })],
    ["after four minutes", accepted, sent({ headers: headersOf({}, 240) })],
    [
      "with several secrets of the service",
      accepted,
      sent({ headers: headersOf({ clientSecrets: ["new", "client"] }) }),
    ],
    [
      "with several secrets of the receiver",
      accepted,
      sent({ client_secret: ["new", "client"], signing_secret: ["x", "whsec_1"] }),
    ],
    [
      "in compatibility mode",
      accepted,
      sent({ headers: headersOf({ compatibilityMode: true }), signing_secret: null }),
    ],
    ["without headers", "missing_header", sent({ headers: {} })],
    ["without a signature", "missing_header", sent({ headers: headersOf({ compatibilityMode: true }) })],
    ["with another body", "wrong_hmac", sent({ body: body.replace("09:59", "09:58") })],
    ["with another client secret", "wrong_hmac", sent({ client_secret: "another" })],
    ["with no client secret", "wrong_hmac", sent({ client_secret: ["", ""] })],
    ["with an HMAC that is none", "wrong_hmac", sent({ headers: { ...good, "svc-hmac-sha256": "é,=," } })],
    ["with another signing secret", "wrong_signature", sent({ signing_secret: "another" })],
    [
      "with a time that was not signed",
      "wrong_signature",
      sent({ headers: { ...good, "svc-signature": `${good["svc-signature"]}`.replace(/t=\d+/, `t=${now + 1}`) } }),
    ],
    ["with a signature that is none", "wrong_signature", sent({ headers: { ...good, "svc-signature": "t=é" } })],
    ["after six minutes", "too_old", sent({ headers: headersOf({}, 360) })],
    ["six minutes ahead of time", "too_old", sent({ headers: headersOf({}, -360) })],
    ["without JSON", "invalid_body", sent({ body: "no", headers: headersOf({ body: "no" }) })],
    ["without a notification", "invalid_body", sent({ body: "[1]", headers: headersOf({ body: "[1]" }) })],
  ];
}

function upper(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

/** Runs a file of its tests, with an input or with what is done for each wait that it speaks of. */
async function python(file: string, env: Record<string, string>, input: string | ((seconds: number) => void)) {
  const program = findLanguage("python3");
  if (!program)
    throw new Error("python3 is missing, so its client cannot be tested: install it, then run the tests again");
  const child = spawn(program, [join(folder, "tests", file)], {
    env: { NODE_ENV: "test", PYTHONPATH: join(folder, "src"), PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1", ...env },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
    const wait = /^sleeps (\S+)$/m.exec(String(chunk))?.[1];
    if (typeof input === "string" || wait === undefined) return;
    input(Number(wait));
    child.stdin.write("\n");
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  if (typeof input === "string") child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code, out, err };
}
