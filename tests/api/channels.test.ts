import { describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { unseal } from "@/server/db/sealed";
import type { Work } from "@/server/db/wake";
import { env } from "@/server/env";
import { addChannels, closeChannelAsGone, storedChannel } from "../fakes/stored-deliveries";
import { signalsOf } from "../fakes/stored-signals";
import { connectedWithTokens, revoke, withToken } from "./grants";
import { expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { type ApiResponse, call, newApplication, type Opened, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

const HOOK = "https://hooks.acme.io/cb";
const SMALL_BODY = 64 * 1024;
const MOST_OPEN = 100;

async function open({ post }: Pick<Opened, "post">, body: object = {}) {
  const answer = await post("/v1/channels", { callback_url: HOOK, ...body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.json.channel;
}

async function listed({ get }: Pick<Opened, "get">) {
  const answer = await get("/v1/channels");
  expect(answer).toMatchObject({ status: 200 });
  return answer.json.channels;
}

function close({ accessToken }: Pick<Opened, "accessToken">, channelId: string, json?: unknown): Promise<ApiResponse> {
  return withToken("DELETE", `/v1/channels/${channelId}`, accessToken, json);
}

/** Channels straight into the database, open or closed. */
async function fill(accountId: string, count: number, closed = false): Promise<void> {
  const channel = { callbackUrl: HOOK, closedAt: closed ? new Date() : null };
  await addChannels(accountId, Array(count).fill(channel));
}

function wakes(): Work[] {
  const before = context.wake;
  const woken: Work[] = [];
  context.wake = (work) => woken.push(work);
  onTestFinished(() => {
    context.wake = before;
  });
  return woken;
}

function allowOrigins(...origins: string[]): void {
  const before = context.env;
  context.env = { ...env(), CALLBACK_ALLOWED_ORIGINS: origins };
  onTestFinished(() => {
    context.env = before;
  });
}

describe("POST /v1/channels", () => {
  describe("200", () => {
    it("opens a channel on every calendar: channel_id, callback_url, filters and signing_secret", async () => {
      const opened = await openCalendar();
      const answer = await opened.post("/v1/channels", { callback_url: HOOK });
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        channel: {
          channel_id: expect.stringMatching(/^chn_[0-9a-f]{24}$/),
          callback_url: HOOK,
          filters: {},
          signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        },
      });
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("ratelimit-limit")).toBe("150");
    });

    it.each([
      [{}, {}],
      [{ only_managed: true }, { only_managed: true }],
      [{ only_managed: false }, { only_managed: false }],
      [{ calendar_ids: ["cal_b", "cal_a", "cal_b"] }, { calendar_ids: ["cal_b", "cal_a", "cal_b"] }],
      [
        { calendar_ids: ["cal_a"], only_managed: true },
        { calendar_ids: ["cal_a"], only_managed: true },
      ],
      [{ calendar_ids: [] }, { calendar_ids: [] }],
      [{ include_deleted: true, only_managed: false, other: null }, { only_managed: false }],
    ])("shows the filters %j as they were set, here and in the list", async (filters, shown) => {
      const opened = await openCalendar();
      expect((await open(opened, { filters })).filters).toEqual(shown);
      expect((await listed(opened))[0].filters).toEqual(shown);
    });

    it("takes 200 calendar_ids, whoever's they are", async () => {
      const opened = await openCalendar();
      const calendar_ids = Array.from({ length: 200 }, (_, i) => `cal_${i}`);
      expect((await open(opened, { filters: { calendar_ids } })).filters).toEqual({ calendar_ids });
    });

    it.each([
      "HTTPS://Hooks.Acme.IO:443/../cb?a=b%20c#d",
      "https://b\u00fccher.acme.io/\u{1f4c5}",
      `https://hooks.acme.io/${"x".repeat(2_048 - "https://hooks.acme.io/".length)}`,
      `https://hooks.acme.io/${"\u{1f4c5}".repeat(2_048 - "https://hooks.acme.io/".length)}`,
      "https://no-such-name.acme.io/",
    ])("gives back callback_url as it was sent: %s", async (callback_url) => {
      const opened = await openCalendar();
      expect((await open(opened, { callback_url })).callback_url).toBe(callback_url);
      expect((await listed(opened))[0].callback_url).toBe(callback_url);
    });

    it("ignores fields the API does not have", async () => {
      const opened = await openCalendar();
      const channel = await open(opened, { channel_id: "chn_mine", signing_secret: "whsec_mine", a: [{}] });
      expect(channel.channel_id).not.toBe("chn_mine");
      expect(channel.signing_secret).not.toBe("whsec_mine");
    });

    it("opens another channel each time, with a secret of its own, also for the same URL", async () => {
      const opened = await openCalendar();
      const [first, second] = [await open(opened), await open(opened)];
      expect(second.channel_id).not.toBe(first.channel_id);
      expect(second.signing_secret).not.toBe(first.signing_secret);
      expect(await listed(opened)).toHaveLength(2);
    });

    it("keeps the secret encrypted and bound to its row", async () => {
      const opened = await openCalendar();
      const { channel_id, signing_secret } = await open(opened);
      expect(JSON.stringify(await storedRows(opened.application))).not.toContain(signing_secret.slice("whsec_".length));
      const { sealedSecret } = await storedChannel(channel_id);
      const place = { table: "channels", column: "sealed_secret", row: channel_id };
      expect(unseal(sealedSecret, place)).toBe(signing_secret);
    });

    it("puts the verification notification on the way, and wakes who writes it", async () => {
      const woken = wakes();
      const opened = await openCalendar();
      const { channel_id } = await open(opened);
      expect(await signalsOf(opened.accountId)).toEqual([{ kind: "verification", subject: channel_id, payload: {} }]);
      expect(woken).toEqual(["notify"]);
    });

    it("is open to a connected person's account too", async () => {
      const { accessToken } = await connectedWithTokens(await newApplication());
      const answer = await withToken("POST", "/v1/channels", accessToken, { callback_url: HOOK });
      expect(answer).toMatchObject({ status: 200 });
    });

    it("takes a callback URL of an origin that the operator allowed, but not with credentials", async () => {
      const opened = await openCalendar();
      const callback_url = "http://127.0.0.1:9999/cb";
      expectIssues(await opened.post("/v1/channels", { callback_url }), {
        callback_url: "errors.invalid_callback_url",
      });
      allowOrigins("http://127.0.0.1:9999");
      expect((await open(opened, { callback_url })).callback_url).toBe(callback_url);
      const withPassword = await opened.post("/v1/channels", { callback_url: "http://u:p@127.0.0.1:9999/cb" });
      expectIssues(withPassword, { callback_url: "errors.invalid_callback_url_blocked" });
    });

    it("has no signing_secret in compatibility mode", async () => {
      const opened = await openCalendar(await newApplication({ compatibilityMode: true }));
      const channel = await open(opened, { filters: { only_managed: true } });
      expect(Object.keys(channel).sort()).toEqual(["callback_url", "channel_id", "filters"]);
      expect(channel.filters).toEqual({ only_managed: true });
    });
  });

  describe("401", () => {
    it("comes before the body is looked at", async () => {
      expectSignedOut(await call("POST", "/v1/channels", { body: "no JSON" }), "invalid_request");
      expectSignedOut(await withToken("POST", "/v1/channels", "at_unknown", {}), "invalid_token");
    });

    it("is the answer after the account was revoked, and nothing is opened", async () => {
      const opened = await openCalendar();
      await revoke(opened.application, opened.accessToken);
      const before = await storedRows(opened.application);
      expectSignedOut(await opened.post("/v1/channels", { callback_url: HOOK }), "invalid_token");
      expect(await storedRows(opened.application)).toEqual(before);
    });
  });

  describe("413", () => {
    it("is the empty answer to a body over 64 KiB", async () => {
      const opened = await openCalendar();
      const frame = JSON.stringify({ callback_url: HOOK, padding: "" });
      const padded = (bytes: number) => frame.replace('""}', `"${"x".repeat(bytes - frame.length)}"}`);
      const headers = { authorization: `Bearer ${opened.accessToken}`, "content-type": "application/json" };
      const send = (body: BodyInit) => call("POST", "/v1/channels", { body, headers });
      expect(await send(padded(SMALL_BODY))).toMatchObject({ status: 200 });
      const before = await storedRows(opened.application);
      expectEmpty(await send(padded(SMALL_BODY + 1)), 413);
      expectEmpty(await send(new Blob([padded(SMALL_BODY + 1)]).stream()), 413);
      expect(await storedRows(opened.application)).toEqual(before);
    });
  });

  describe("422", () => {
    async function expectRefused(body: unknown, mistakes: Record<string, string | string[]>): Promise<void> {
      const opened = await openCalendar();
      const woken = wakes();
      const before = await storedRows(opened.application);
      expectIssues(await opened.post("/v1/channels", body), mistakes);
      expect(await storedRows(opened.application)).toEqual(before);
      expect(woken).toEqual([]);
    }

    it.each([
      ["missing", undefined, "errors.required"],
      ["null", null, "errors.invalid_type"],
      ["a number", 5, "errors.invalid_type"],
      ["a list", [HOOK], "errors.invalid_type"],
      ["empty", "", "errors.invalid_callback_url"],
      ["no URL", "hooks", "errors.invalid_callback_url"],
      ["http", "http://hooks.acme.io/cb", "errors.invalid_callback_url"],
      ["another port", "https://hooks.acme.io:8443/cb", "errors.invalid_callback_url_blocked"],
      ["with credentials", "https://u:p@hooks.acme.io/cb", "errors.invalid_callback_url_blocked"],
      ["local", "https://localhost/cb", "errors.invalid_callback_url_blocked"],
      ["private", "https://[::ffff:10.0.0.1]/cb", "errors.invalid_callback_url_blocked"],
      ["an example host", "https://hooks.example.com/cb", "errors.invalid_callback_url_blocked"],
      ["2,049 characters", HOOK.padEnd(2_049, "x"), "errors.too_big"],
      ["2,049 characters of nothing", "x".repeat(2_049), "errors.too_big"],
      ["with U+0000", `${HOOK}\u0000`, "errors.invalid"],
      ["with half of a surrogate pair", `${HOOK}\ud83d`, "errors.invalid"],
    ])("callback_url %s", async (_, callback_url, key) => {
      await expectRefused({ callback_url }, { callback_url: key });
    });

    it.each<[string, unknown, Record<string, string>]>([
      ["null", null, { filters: "errors.invalid_type" }],
      ["a string", "only_managed", { filters: "errors.invalid_type" }],
      ["a list", [], { filters: "errors.invalid_type" }],
      ["only_managed as a string", { only_managed: "true" }, { "filters.only_managed": "errors.invalid_type" }],
      ["only_managed as a number", { only_managed: 1 }, { "filters.only_managed": "errors.invalid_type" }],
      ["only_managed null", { only_managed: null }, { "filters.only_managed": "errors.invalid_type" }],
      ["calendar_ids as a string", { calendar_ids: "cal_a" }, { "filters.calendar_ids": "errors.invalid_type" }],
      ["calendar_ids as an object", { calendar_ids: { 0: "a" } }, { "filters.calendar_ids": "errors.invalid_type" }],
      ["calendar_ids null", { calendar_ids: null }, { "filters.calendar_ids": "errors.invalid_type" }],
      [
        "calendar_ids with other than strings",
        { calendar_ids: ["cal_a", 5, null, {}] },
        {
          "filters.calendar_ids[1]": "errors.invalid_type",
          "filters.calendar_ids[2]": "errors.invalid_type",
          "filters.calendar_ids[3]": "errors.invalid_type",
        },
      ],
      ["an empty calendar id", { calendar_ids: ["cal_a", ""] }, { "filters.calendar_ids[1]": "errors.too_small" }],
      [
        "a calendar id of 601 characters",
        { calendar_ids: ["x".repeat(601)] },
        { "filters.calendar_ids[0]": "errors.too_big" },
      ],
      [
        "201 calendar_ids",
        { calendar_ids: Array.from({ length: 201 }, (_, i) => `cal_${i}`) },
        { "filters.calendar_ids": "errors.too_big" },
      ],
      [
        "thousands of wrong calendar_ids",
        { calendar_ids: Array.from({ length: 20_000 }, () => 5) },
        { "filters.calendar_ids": "errors.too_big" },
      ],
      ["U+0000 in a calendar id", { calendar_ids: ["a\u0000"] }, { "filters.calendar_ids[0]": "errors.invalid" }],
      ["half of a surrogate pair in an unknown field", { a: "\udc00" }, { "filters.a": "errors.invalid" }],
    ])("filters: %s", async (_, filters, mistakes) => {
      await expectRefused({ callback_url: HOOK, filters }, mistakes);
    });

    it("names every mistake at once", async () => {
      await expectRefused(
        { callback_url: "http://hooks.acme.io", filters: { calendar_ids: [""], only_managed: 1 } },
        {
          callback_url: "errors.invalid_callback_url",
          "filters.calendar_ids[0]": "errors.too_small",
          "filters.only_managed": "errors.invalid_type",
        },
      );
    });

    it.each([["[]"], ["null"], ['"x"'], ["5"], [""], ["{"], ["callback_url=https://hooks.acme.io"]])(
      "errors.invalid_json on base for the body %j",
      async (body) => {
        const { accessToken, application } = await openCalendar();
        const before = await storedRows(application);
        const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
        expectIssues(await call("POST", "/v1/channels", { body, headers }), { base: "errors.invalid_json" });
        expect(await storedRows(application)).toEqual(before);
      },
    );

    it("errors.too_many_channels on base with 100 open channels already; a malformed body answers with its mistake first", async () => {
      const opened = await openCalendar();
      await fill(opened.accountId, MOST_OPEN - 1);
      await fill(opened.accountId, 5, true);
      const last = await open(opened);
      const before = await storedRows(opened.application);
      expectIssues(await opened.post("/v1/channels", { callback_url: HOOK }), { base: "errors.too_many_channels" });
      expectIssues(await opened.post("/v1/channels", { callback_url: "x" }), {
        callback_url: "errors.invalid_callback_url",
      });
      expect(await storedRows(opened.application)).toEqual(before);
      expectEmpty(await close(opened, last.channel_id), 202);
      await open(opened);
    });

    it("counts the open channels of one account only", async () => {
      const full = await openCalendar();
      await fill(full.accountId, MOST_OPEN);
      await open(await openCalendar(full.application));
    });

    it("has the other vendor's wording in compatibility mode", async () => {
      const { post } = await openCalendar(await newApplication({ compatibilityMode: true }));
      const answer = await post("/v1/channels", {});
      expectIssues(answer, { callback_url: "errors.required" });
      expect(answer.json.errors.callback_url[0].description).toBe("callback_url must be specified");
    });
  });

  it("opens exactly 100 when many come at once", async () => {
    const opened = await openCalendar();
    await fill(opened.accountId, MOST_OPEN - 3);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => opened.post("/v1/channels", { callback_url: HOOK })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(422)]);
    expect(await listed(opened)).toHaveLength(MOST_OPEN);
    expect(await signalsOf(opened.accountId)).toHaveLength(3);
  });

  it("leaves no open channel and no signal on an account that is revoked at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { application, accessToken, accountId, post } = await openCalendar();
      const openings = Array.from({ length: 4 }, () => post("/v1/channels", { callback_url: HOOK }));
      const [revoked, ...answers] = await Promise.all([revoke(application, accessToken), ...openings]);
      expect(revoked?.status).toBe(200);
      for (const { status } of answers) expect([200, 401]).toContain(status);
      expect(await db().prisma.channel.count({ where: { accountId, closedAt: null } })).toBe(0);
      expect(await signalsOf(accountId)).toEqual([]);
    }
  });
});

describe("GET /v1/channels", () => {
  it("200: lists the open channels, the oldest first, with channel_id, callback_url and filters", async () => {
    const opened = await openCalendar();
    expect(await listed(opened)).toEqual([]);
    const made = [];
    for (let i = 0; i < 5; i += 1) {
      made.push(await open(opened, { callback_url: `${HOOK}/${i}`, filters: { only_managed: i % 2 === 0 } }));
    }
    await close(opened, made[1].channel_id);
    const expected = made
      .filter((_, i) => i !== 1)
      .map(({ channel_id, callback_url, filters }) => ({ channel_id, callback_url, filters }));
    const answer = await opened.get("/v1/channels");
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ channels: expected });
  });

  it("200: has the channels of this account only", async () => {
    const opened = await openCalendar();
    const [sister, stranger] = [await openCalendar(opened.application), await openCalendar()];
    await open(opened);
    expect(await listed(sister)).toEqual([]);
    expect(await listed(stranger)).toEqual([]);
  });

  it("200: leaves out channels that were closed by a 410", async () => {
    const opened = await openCalendar();
    const { channel_id } = await open(opened);
    await closeChannelAsGone(channel_id);
    expect(await listed(opened)).toEqual([]);
  });

  it("401: without a valid access token, and after the account was revoked", async () => {
    const opened = await openCalendar();
    await open(opened);
    expectSignedOut(await call("GET", "/v1/channels"), "invalid_request");
    await revoke(opened.application, opened.refreshToken);
    expectSignedOut(await opened.get("/v1/channels"), "invalid_token");
  });
});
