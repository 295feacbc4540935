import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { loggedRequests } from "../fakes/stored-traffic";
import { applicationId, credentialsOf } from "./grants";
import { comparable, expectEmpty, expectIssues, expectOAuthError, expectThrottled } from "./responses";
import { type ApiResponse, type Application, call, newApplication, newProcessServices, openCalendar } from "./service";

const BASIC_CHALLENGE = 'Basic realm="svc"';

type Fields = Record<string, unknown>;
type Send = (authorization: string | null, fields?: Fields) => Promise<ApiResponse>;

const encoded = (text: string) => encodeURIComponent(text);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const basicOf = ({ clientId, clientSecret }: Application, encode = encoded) =>
  `Basic ${base64(`${encode(clientId)}:${encode(clientSecret)}`)}`;

/** An endpoint that takes client credentials: a request that needs nothing but these, as JSON or as a form. */
function sender(path: string, needed: Record<string, string>, as: "json" | "form" = "json"): Send {
  return (authorization, fields = {}) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    return call("POST", path, { [as]: { ...needed, ...fields }, headers });
  };
}

async function sendersOf(application: Application) {
  const { refreshToken } = await openCalendar(application);
  const refresh = { grant_type: "refresh_token", refresh_token: refreshToken };
  return {
    token: sender("/oauth/token", refresh),
    tokenForm: sender("/oauth/token", refresh, "form"),
    revoke: sender("/oauth/token/revoke", { token: "unknown" }),
    revokeForm: sender("/oauth/token/revoke", { token: "unknown" }, "form"),
    open: sender("/v1/application_calendars", { application_calendar_id: "room" }),
    openForm: sender("/v1/application_calendars", { application_calendar_id: "room" }, "form"),
  };
}

/** The application with a sender for each endpoint and form of body. */
async function all(application?: Application) {
  const owner = application ?? (await newApplication());
  return { application: owner, senders: Object.entries(await sendersOf(owner)) };
}

/** Of the OAuth endpoints the error, of the other the keys by field. */
function expectRefused(name: string, answer: ApiResponse, error: string, mistakes: Record<string, string>): void {
  if (name.startsWith("open")) expectIssues(answer, mistakes);
  else expectOAuthError(answer, error);
}

const bothRequired = { client_id: "errors.required", client_secret: "errors.required" };

describe("HTTP Basic", () => {
  it("takes the place of client_id and client_secret in the body, on all three endpoints", async () => {
    const { application, senders } = await all();
    for (const [name, send] of senders) expect([name, (await send(basicOf(application))).status]).toEqual([name, 200]);
  });

  it.each(["basic", "BASIC", "Basic ", "bAsIc   "])(
    "has a scheme in any case, and any number of spaces: %j",
    async (scheme) => {
      const { application, senders } = await all();
      const credentials = basicOf(application).slice("Basic ".length);
      for (const [name, send] of senders) {
        expect([name, (await send(`${scheme} ${credentials}`)).status]).toEqual([name, 200]);
      }
    },
  );

  it("is accepted beside the same credentials in the body, or one of them", async () => {
    const { application, senders } = await all();
    const own = credentialsOf(application);
    for (const [name, send] of senders) {
      for (const fields of [own, { client_id: own.client_id }, { client_secret: own.client_secret }]) {
        expect([name, (await send(basicOf(application), fields)).status]).toEqual([name, 200]);
      }
    }
  });

  it("is read where the body's are empty, which counts as omitted (RFC 6749 §3.2)", async () => {
    const { application, senders } = await all();
    for (const [name, send] of senders) {
      const fields: Fields[] = [{ client_id: "", client_secret: "" }, { client_secret: "" }];
      if (!name.endsWith("Form")) fields.push({ client_id: null, client_secret: null });
      for (const each of fields) expect([name, (await send(basicOf(application), each)).status]).toEqual([name, 200]);
    }
  });

  it("may leave out one that the body has", async () => {
    const { application, senders } = await all();
    const { clientId, clientSecret } = application;
    for (const [, send] of senders) {
      const withoutSecret = await send(`Basic ${base64(`${clientId}:`)}`, { client_secret: clientSecret });
      const withoutId = await send(`Basic ${base64(`:${clientSecret}`)}`, { client_id: clientId });
      expect([withoutSecret.status, withoutId.status]).toEqual([200, 200]);
    }
  });

  it("with credentials that are not the body's is invalid_request", async () => {
    const { application, senders } = await all();
    const own = credentialsOf(application);
    const other = await newApplication();
    for (const [name, send] of senders) {
      const cases: [string, Fields, Record<string, string>][] = [
        [basicOf(other), own, { client_id: "errors.invalid", client_secret: "errors.invalid" }],
        [basicOf(other), { client_id: own.client_id }, { client_id: "errors.invalid" }],
        [basicOf({ ...application, clientSecret: "wrong" }), own, { client_secret: "errors.invalid" }],
        [basicOf(application), { ...own, client_secret: "wrong" }, { client_secret: "errors.invalid" }],
        [basicOf(application), { client_id: other.clientId }, { client_id: "errors.invalid" }],
      ];
      for (const [authorization, fields, mistakes] of cases) {
        const answer = await send(authorization, fields);
        expectRefused(name, answer, "invalid_request", mistakes);
        expect(answer.headers.get("www-authenticate")).toBeNull();
        expect(answer.text).not.toContain(application.clientSecret);
      }
    }
  });

  it.each([
    ["an unknown client id", { clientId: "unknown" }],
    ["a wrong secret", { clientSecret: "wrong" }],
  ])("with %s is refused as in a body, with a challenge", async (_, wrong) => {
    const { application, senders } = await all();
    const { clientId, clientSecret } = { ...application, ...wrong };
    for (const [name, send] of senders) {
      const answer = await send(basicOf({ clientId, clientSecret }));
      if (name.startsWith("open")) expectEmpty(answer, 401);
      else expectOAuthError(answer, "invalid_client");
      expect([name, answer.headers.get("www-authenticate")]).toEqual([name, BASIC_CHALLENGE]);
    }
  });

  it("does not tell an unknown client id from a wrong secret", async () => {
    const { application, senders } = await all();
    for (const [, send] of senders) {
      const unknown = await send(basicOf({ ...application, clientId: "unknown" }));
      const wrong = await send(basicOf({ ...application, clientSecret: "wrong" }));
      expect(comparable(unknown)).toEqual(comparable(wrong));
    }
  });

  it("challenges nobody who sent wrong credentials in the body alone", async () => {
    const { application, senders } = await all();
    for (const [name, send] of senders) {
      const answer = await send(null, { ...credentialsOf(application), client_secret: "wrong" });
      expect(answer.headers.get("www-authenticate") ?? "").not.toContain("Basic");
      expect(answer.status).toBe(name.startsWith("open") ? 401 : 400);
    }
  });
});

describe("the encoding of HTTP Basic", () => {
  const odd = [
    ["client:1", "secret:2"],
    ["a b+c", "100% & more"],
    ["größe", "日本語 🔑"],
    ["%41", "%2B+"],
    ["q?x=1&y=2", "/+==~*!'()"],
  ];
  const encoders: [string, (text: string) => string][] = [
    ["encodeURIComponent", encoded],
    ["a form", (text) => new URLSearchParams({ a: text }).toString().slice(2)],
    [
      "Java, in lower case",
      (text) =>
        new URLSearchParams({ a: text })
          .toString()
          .slice(2)
          .replace(/%../g, (it) => it.toLowerCase()),
    ],
    ["every byte", (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")],
  ];

  it.each(encoders)("is undone as RFC 6749 §2.3.1 asks: %s", async (_, encode) => {
    for (const [id = "", clientSecret = ""] of odd) {
      const application = await registered(id, clientSecret);
      const answer = await openWith(basicOf(application, encode));
      expect([id, clientSecret, answer.status]).toEqual([id, clientSecret, 200]);
    }
  });

  it("may be missing, as many clients send it, where the credentials show that it is", async () => {
    for (const secret of ["ab+cd/ef==", "se:cret", "a b", "größe", "100%", "50% & 20%2B", "+%=", "日本語"]) {
      const application = await registered("app", secret);
      const answer = await openWith(basicOf(application, (text) => text));
      expect([secret, answer.status]).toEqual([secret, 200]);
    }
  });

  it("may be that of colons alone", async () => {
    const application = await registered("urn:acme:", "a/b:c=");
    const answer = await openWith(basicOf(application, (text) => text.replaceAll(":", "%3A")));
    expect(answer.status).toBe(200);
  });

  it("needs no padding and takes either alphabet of base64", async () => {
    const application = await registered("app", "\u00ff\u00fe?>~~\u00ff");
    const sent = basicOf(application, (text) => text);
    expect(sent).toMatch(/[+/]/);
    for (const each of [sent, sent.replace(/=+$/, ""), sent.replaceAll("+", "-").replaceAll("/", "_")]) {
      expect([each, (await openWith(each)).status]).toEqual([each, 200]);
    }
  });
});

describe("an Authorization header that is not HTTP Basic", () => {
  const others = ["Bearer undefined", "Bearer None", "Bearer at_x", "nonsense", "", "Digest username=x", "Basically x"];
  const unreadable = [
    "Basic",
    "Basic ",
    "Basic !!!",
    "Basic a b",
    `Basic ${base64("no colon")}`,
    `Basic ${base64("id:secret")}, Basic x`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString("base64")}`,
    `Basic ${base64("%ff:x")}`,
    "Basic id:secret",
  ];

  it.each([...others, ...unreadable])("is ignored beside credentials in the body: %j", async (authorization) => {
    const { application, senders } = await all();
    for (const [name, send] of senders) {
      const answer = await send(authorization, credentialsOf(application));
      expect([name, answer.status]).toEqual([name, 200]);
    }
  });

  it.each(others)("is no credential of its own: %j", async (authorization) => {
    const { senders } = await all();
    for (const [name, send] of senders) {
      const answer = await send(authorization);
      expectRefused(name, answer, "invalid_request", bothRequired);
      expect(answer.text).not.toContain("HTTP Basic");
    }
  });

  it.each(unreadable)("says why where it looks like it: %j", async (authorization) => {
    const { application, senders } = await all();
    for (const [name, send] of senders) {
      const answer = await send(authorization);
      expectRefused(name, answer, "invalid_request", bothRequired);
      expect(answer.text).toContain("HTTP Basic");
      const half = await send(authorization, { client_id: application.clientId });
      expectRefused(name, half, "invalid_request", { client_secret: "errors.required" });
    }
  });

  it("is judged as a body is where HTTP Basic has something empty, too long or unstorable", async () => {
    const { senders } = await all();
    const long = "x".repeat(501);
    for (const [name, send] of senders) {
      const cases: [string, Record<string, string>][] = [
        [":", bothRequired],
        ["id:", { client_secret: "errors.required" }],
        [":secret", { client_id: "errors.required" }],
        [`${long}:secret`, { client_id: "errors.too_big" }],
        [`id:${long}`, { client_secret: "errors.too_big" }],
        ["%00:x", { client_id: "errors.invalid" }],
      ];
      for (const [pair, mistakes] of cases) {
        expectRefused(name, await send(`Basic ${base64(pair)}`), "invalid_request", mistakes);
      }
      const odd = await send(`Basic ${base64("id:secret")}`, { client_id: name.endsWith("Form") ? "other" : 7 });
      expectRefused(name, odd, "invalid_request", {
        client_id: name.endsWith("Form") ? "errors.invalid" : "errors.invalid_type",
      });
    }
  });
});

describe("requests with HTTP Basic", () => {
  beforeEach(newProcessServices);

  it("are the application's in the request log, which never shows the header", async () => {
    const { application, senders } = await all();
    const basic = basicOf(application);
    const right = await idsOf(senders.map(([, send]) => send(basic)));
    const wrong = await idsOf(senders.map(([, send]) => send(basicOf({ ...application, clientSecret: "wrong" }))));
    const rows = await loggedRequests({ requestIds: right });
    expect(rows.map(({ status }) => status)).toEqual(senders.map(() => 200));
    const id = await applicationId(application);
    for (const row of rows) {
      expect(row).toMatchObject({ applicationId: id, requestHeaders: { authorization: "[redacted]" } });
    }
    const refused = await loggedRequests({ requestIds: wrong });
    expect(refused).toHaveLength(senders.length);
    for (const { text } of [...rows, ...refused]) {
      expect(text).not.toContain(application.clientSecret);
      expect(text).not.toContain(basic.slice("Basic ".length));
    }
  });

  it("are limited like those with a body: right ones by the application's bucket, wrong ones by client id and address", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const { token } = await sendersOf(application);
    const wrong = basicOf({ ...application, clientSecret: "wrong" });
    const guesses = await Promise.all(Array.from({ length: 60 }, () => token(wrong)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([400]));
    expectThrottled(await token(wrong), 1);
    expectThrottled(await token(null, { ...credentialsOf(application), client_secret: "wrong" }), 1);
    clock.advance(1_000);
    expectOAuthError(await token(wrong), "invalid_client");
    clock.advance(60_000);
    const known = await Promise.all(
      Array.from({ length: 600 }, () => token(basicOf(application), { grant_type: "x" })),
    );
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set([400]));
    expectThrottled(await token(basicOf(application), { grant_type: "x" }), 1);
  });
});

describe("an endpoint that accepts either credential", () => {
  beforeEach(newProcessServices);
  const find = (authorization: string | null, fields: Fields = {}) =>
    sender("/v1/availability", {})(authorization, fields);

  it("reads HTTP Basic in every encoding, and the secret alone", async () => {
    for (const [id, clientSecret] of [
      ["a b+c", "100% & more than twenty"],
      ["größe", "日本語 🔑 und noch einiges mehr"],
      ["q?x=1&y=2", "/+==~*!'()/+==~*!'()/+==~*!'()"],
    ] as const) {
      const application = await registered(id, clientSecret);
      for (const header of [
        basicOf(application),
        basicOf(application, (text) => text),
        basicOf(application).replace("Basic", "bAsIc "),
      ]) {
        expect([id, (await find(header)).status]).toEqual([id, 422]);
      }
    }
    const { clientSecret } = await newApplication({
      clientSecret: `a/secret+in=base64~${randomBytes(9).toString("hex")}`,
    });
    expect((await find(`bearer  ${clientSecret}`)).status).toBe(422);
  });

  it("reads no credentials of the body", async () => {
    const application = await newApplication();
    expectEmpty(await find(null, credentialsOf(application)), 401);
    expectEmpty(await find(basicOf({ ...application, clientSecret: "wrong" }), credentialsOf(application)), 401);
  });

  it.each(["Basic", "Basic !!!", `Basic ${base64("no colon")}`, `Basic ${base64("%00:x")}`, `Basic ${base64(":")}`])(
    "challenges who sends an unreadable %j",
    async (authorization) => {
      const answer = await find(authorization);
      expectEmpty(answer, 401);
      expect(answer.headers.get("www-authenticate")).toBe(BASIC_CHALLENGE);
    },
  );

  it("stores neither the header nor the secret", async () => {
    const application = await newApplication();
    const { clientSecret } = application;
    const headers = [basicOf(application), `Bearer ${clientSecret}`, basicOf({ ...application, clientId: "unknown" })];
    const rows = await loggedRequests({ requestIds: await idsOf(headers.map((header) => find(header))) });
    expect(rows.map(({ status }) => status).sort()).toEqual([401, 422, 422]);
    for (const { text } of rows) {
      expect(text).not.toContain(clientSecret);
      for (const header of headers) expect(text).not.toContain(header.slice(header.indexOf(" ") + 1));
    }
  });
});

async function idsOf(responses: Promise<ApiResponse>[]): Promise<string[]> {
  return (await Promise.all(responses)).map(({ headers }) => headers.get("svc-request-id") ?? "");
}

/** An application whose id begins with the given text. */
async function registered(id: string, clientSecret: string): Promise<Application> {
  return await newApplication({ clientId: `${id}${randomBytes(6).toString("hex")}`, clientSecret });
}

function openWith(authorization: string): Promise<ApiResponse> {
  return sender("/v1/application_calendars", { application_calendar_id: "room" })(authorization);
}
