import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { en } from "@/components/connect/words/en";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { connect, db } from "@/server/db/client";
import { KNOWN_SCOPES } from "@/server/domain/grants";
import { provideEnv } from "@/server/env";
import { pendingScript } from "@/server/http/connect/pending-script";
import { registerApplication } from "@/server/store/applications/register";
import { setForeignEdits } from "../fakes/stored";
import { loggedRequests } from "../fakes/stored-traffic";
import { authorize, authorizePath, CANCELLED, cookieOf, links, openForm, STATE } from "./connect-page";
import { applicationId, connectedWithTokens, REDIRECT_URI, withToken } from "./grants";
import { expectEmpty } from "./responses";
import { type ApiResponse, type Application, call, newApplication, newProcessServices } from "./service";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const PAGE_BYTES = 30_000;

function expectPage(answer: ApiResponse, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.text).toMatch(/^<!DOCTYPE html><html lang="/);
}

/** 302 to the redirect URI with these parameters, a description of the error, and no others. */
function expectAnswered(answer: ApiResponse, expected: Record<string, string>): void {
  expectEmpty(answer, 302);
  const to = new URL(answer.headers.get("location") ?? "");
  expect(to.origin + to.pathname).toBe(REDIRECT_URI);
  const { error_description, ...given } = Object.fromEntries(to.searchParams);
  expect(given).toEqual(expected);
  // RFC 6749 §4.1.2.1
  expect(error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{10,}$/);
}

async function applicationNamed(name: string, redirectUris = [REDIRECT_URI]): Promise<Application> {
  const made = { clientId: `test_${randomBytes(8).toString("hex")}`, clientSecret: "secret" };
  const given = { ...made, name, redirectUris, compatibilityMode: false, plan: "standard" as const };
  await registerApplication(db(), given, clock().now());
  return made;
}

describe("200", () => {
  it("is the page that says who asks, what for, and which providers there are: only those that are configured", async () => {
    const application = await applicationNamed("Acme <b>&</b> Co");
    const answer = await authorize(application);
    expectPage(answer, 200);
    expect(answer.text).toContain("<em><bdi>Acme &lt;b&gt;&amp;&lt;/b&gt; Co</bdi></em> wants to access your calendar");
    expect(answer.text).toContain("iCloud");
    for (const absent of ["Google", "Microsoft 365", "Outlook.com"]) expect(answer.text).not.toContain(absent);
    const [form, cancel] = links(answer);
    expect(new URL(form ?? "", "http://x").searchParams.get("provider_name")).toBe("apple");
    expect(cancel).toBe(CANCELLED);
  });

  it.each(["apple", "prov_d"])(
    "skips the chooser with provider_name %s, in either vocabulary",
    async (provider_name) => {
      const { html, fields } = await openForm(await newApplication(), { provider_name });
      expect(html).toContain('name="password"');
      expect(fields.provider_name).toBe("prov_d");
    },
  );

  it.each(["google", "prov_a", "office365", "hosted", "compat", "nothing", "x".repeat(3_000)])(
    "leaves the choice to the person when provider_name is %s, which cannot be connected here",
    async (provider_name) => {
      const answer = await authorize(await newApplication(), { provider_name });
      expectPage(answer, 200);
      expect(answer.text).not.toContain('name="password"');
    },
  );

  it.each([
    ["scope", null],
    ["scope", ""],
    ["scope", "read_account list_calendars read_events create_event delete_event"],
    ["scope", "read_write"],
    ["state", null],
    ["avoid_linking", "true"],
    ["delegated_scope", "x y"],
    ["link_token", ""],
    ["anything", "else"],
  ])("comes with %s=%s", async (name, value) => {
    expectPage(await authorize(await newApplication(), { [name]: value }), 200);
  });

  it("says that the application may change events of others where it may, without a click", async () => {
    const application = await newApplication();
    expect((await authorize(application)).text).not.toContain(en.mayChangeOthers);
    expect((await openForm(application)).html).not.toContain(en.mayChangeOthers);
    await setForeignEdits(application.clientId);
    expect((await authorize(application)).text).toContain(en.mayChangeOthers);
    const { html } = await openForm(application);
    expect(html).toMatch(new RegExp(`<details open="">.*${en.mayChangeOthers}`));
  });

  it("comes with a code_challenge of S256", async () => {
    const given = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
    expectPage(await authorize(await newApplication(), given), 200);
  });

  it.each([
    ["en", "wants to see your calendar", "can see your events but can’t change them."],
    ["de", "möchte Ihren Kalender sehen", "kann Ihre Termine sehen, aber nicht ändern."],
    ["fr", "souhaite voir votre calendrier", "peut voir vos événements, mais pas les modifier."],
    ["es", "quiere ver tu calendario", "puede ver tus eventos, pero no modificarlos."],
    ["ja", "がカレンダーの閲覧を求めています", "は予定を見ることはできますが、変更はできません。"],
  ])(
    "says in %s that events are read and not changed, before each choice and each form",
    async (locale, title, only) => {
      const application = await newApplication();
      const chooser = await authorize(application, { access: "read", locale });
      expect(chooser.text).toContain(title);
      const form = await authorize(application, { access: "read", locale, provider_name: "apple" });
      for (const { text } of [chooser, form]) {
        expect(text).toContain(only);
        expect(text.match(/<ul class="may">.*?<\/ul>/s)?.[0].match(/<li>/g)).toHaveLength(2);
      }
    },
  );

  it.each([
    ["en", "wants to see when you’re busy", "can see when you’re busy, but not what’s in your events."],
    ["de", "möchte sehen, wann Sie beschäftigt sind", "aber nicht, was in Ihren Terminen steht."],
    ["fr", "souhaite voir quand vous êtes occupé", "mais pas le contenu de vos événements."],
    ["es", "quiere ver cuándo estás ocupado", "pero no el contenido de tus eventos."],
    ["ja", "が予定のある時間の確認を求めています", "予定の内容は見られません。"],
  ])("says in %s that no more than free/busy is seen", async (locale, title, only) => {
    const { text } = await authorize(await newApplication(), { access: "free_busy", locale });
    for (const sentence of [title, only]) expect(text).toContain(sentence);
  });

  it("asks for everything with an access without a value", async () => {
    const { text } = await authorize(await newApplication(), { access: "" });
    expect(text).toContain("wants to access your calendar");
    expect(text).not.toContain("can’t change them");
  });

  it("comes on whichever host the browser opened, and to HEAD without the page", async () => {
    const path = authorizePath(await newApplication());
    expectPage(await call("GET", path, { headers: { host: "app.almanac.example" } }), 200);
    const head = await call("HEAD", path);
    expectEmpty(head, 200);
    expect(head.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it("goes from the chooser to the form and back, with every parameter", async () => {
    const application = await newApplication();
    const given = {
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      scope: "read_events create_event",
      locale: "fr",
      access: "read",
    };
    const [form = ""] = links(await authorize(application, given));
    const asked = Object.fromEntries(new URL(form, "http://x").searchParams);
    const first = Object.fromEntries(new URL(authorizePath(application, given), "http://x").searchParams);
    expect(asked).toEqual({ ...first, provider_name: "apple" });
    expect((await call("GET", form)).text).toContain('<html lang="fr">');
  });
});

describe("the page", () => {
  async function pages(): Promise<ApiResponse[]> {
    const application = await applicationNamed("Ａ".repeat(200));
    return [
      await authorize(application),
      await authorize(application, { provider_name: "apple" }),
      await authorize(application, { locale: "ja", provider_name: "apple", state: "s".repeat(2_000) }),
      await authorize(application, { redirect_uri: "https://elsewhere.io/" }),
      await call("POST", "/oauth/authorize", { form: {} }),
    ];
  }

  it("sends no script but that of the form, asks no other host for anything, cannot be framed and is not stored", async () => {
    for (const answer of await pages()) {
      expect(answer.text.replace(`<script>${pendingScript}</script>`, "")).not.toMatch(
        /<script|javascript:|\son\w+=|<iframe|<img/i,
      );
      const loaded = [...answer.text.matchAll(/(?:url\(|src="|<link[^>]*href=")([^")]*)/g)].map(([, url]) => url);
      expect(loaded.length).toBeGreaterThan(0);
      for (const url of loaded) expect(url).toMatch(/^\/fonts\/[\w-]+\.woff2$/);
      expect(answer.headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self' data:; (script-src 'sha256-[\w+/]+='; )?base-uri 'none'; frame-ancestors 'none'; form-action 'self'/,
      );
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("svc-request-id")).toMatch(/^req_/);
    }
  });

  it.each([
    ["https://app.acme.io/cb", " https:"],
    ["http://localhost:8080/cb", " https: http://localhost:* http://127.0.0.1:*"],
    ["http://127.0.0.1:8080/cb", " https: http://localhost:* http://127.0.0.1:*"],
    ["http://[::1]:8080/cb", " https: http:"],
  ])("lets its form end at %s, and the pages without a form nowhere", async (redirect_uri, ends) => {
    const application = await applicationNamed("Acme", [redirect_uri]);
    const policyOf = ({ headers }: ApiResponse) => headers.get("content-security-policy")?.split("; ").at(-1);
    const form = await authorize(application, { redirect_uri, provider_name: "apple" });
    expect(policyOf(form)).toBe(`form-action 'self'${ends}`);
    const others: Record<string, string>[] = [{}, { link_token: "x" }, { redirect_uri: "https://x.io/" }];
    for (const fields of others) {
      expect(policyOf(await authorize(application, { redirect_uri, ...fields }))).toBe("form-action 'self'");
    }
  });

  it.each([null, "read_events", "read_account list_calendars", KNOWN_SCOPES.join(" ")])(
    "says what is granted, which is the same for the scope %j",
    async (scope) => {
      const { text } = await authorize(await newApplication(), { scope });
      for (const granted of [
        "See your calendars and all events in them, including guests, locations and notes",
        "See when you’re free or busy",
        "Add events, invite guests, and change or delete the events it added",
      ]) {
        expect(text).toContain(granted);
      }
    },
  );

  it("has less than 30 KB", async () => {
    for (const { text } of await pages()) expect(Buffer.byteLength(text)).toBeLessThan(PAGE_BYTES);
  });

  it("finds its fonts at its own host, which has nothing else there", async () => {
    const { text } = await authorize(await newApplication());
    const fonts = new Set([...text.matchAll(/\/fonts\/[\w-]+\.woff2/g)].map(([path]) => path));
    expect(fonts.size).toBeGreaterThan(4);
    for (const path of fonts) {
      const answer = await call("GET", path);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, "font/woff2"]);
      expect(answer.text.slice(0, 4)).toBe("wOF2");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expectEmpty(await call("HEAD", path), 200);
    }
    for (const path of ["/fonts/package.json", "/fonts/..%2fpackage.json", "/fonts/inter-latin", "/fonts/__proto__"]) {
      expectEmpty(await call("GET", path), 404);
    }
    expectEmpty(await call("POST", "/fonts/inter-latin.woff2"), 405);
  });

  it.each([
    [null, null, "en", "wants to access your calendar"],
    [null, "de-AT,de;q=0.9,en;q=0.8", "de", "möchte auf Ihren Kalender zugreifen"],
    [null, "en;q=0.4, fr-CA;q=0.7, es;q=0.9", "es", "quiere acceder a tu calendario"],
    [null, "nl, pt-BR;q=0.9, ja;q=0.1", "ja", "がカレンダーへのアクセスを求めています"],
    [null, "fr;q=0, *", "en", "wants to access your calendar"],
    [null, ",;q=,;;de;q=x", "en", "wants to access your calendar"],
    ["fr", "de", "fr", "souhaite accéder à votre calendrier"],
    ["es_MX", "de", "es", "quiere acceder a tu calendario"],
    ["DE", null, "de", "möchte auf Ihren Kalender zugreifen"],
    ["nl", "ja", "ja", "がカレンダーへのアクセスを求めています"],
    ["../../etc", null, "en", "wants to access your calendar"],
  ])("speaks, with locale %s and Accept-Language %s, %s", async (locale, accepted, lang, words) => {
    const headers: Record<string, string> = accepted === null ? {} : { "accept-language": accepted };
    const answer = await authorize(await newApplication(), { locale }, headers);
    expect(answer.text).toContain(`<html lang="${lang}">`);
    expect(answer.text).toContain(words);
    expect(answer.headers.get("content-language")).toBe(lang);
  });

  it("sets one cookie that scripts cannot read and other sites do not send, and keeps the one there is", async () => {
    const application = await newApplication();
    const first = await authorize(application);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^almanac-connect=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const cookie = cookieOf(first);
    const second = await authorize(application, {}, { cookie: `a=b; ${cookie}; c=d` });
    expect(cookieOf(second)).toBe(cookie);
    const forged = await authorize(application, {}, { cookie: "almanac-connect=x" });
    expect(cookieOf(forged)).not.toBe("almanac-connect=x");
  });
});

describe("the cookie of a service that people reach by https", () => {
  it("is bound to the host and sent by https alone", async () => {
    provideEnv({ APP_URL: "https://calendars.acme.io" });
    onTestFinished(() => void provideEnv({ APP_URL: "" }));
    const answer = await authorize(await newApplication());
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-almanac-connect=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });
});

describe("5xx", () => {
  it("is a page with the request's number and nothing of what went wrong, when the database cannot be reached", async () => {
    const path = authorizePath(await newApplication());
    const reachable = db();
    const unreachable = connect("postgresql://almanac@127.0.0.1:1/none");
    context.database = unreachable;
    onTestFinished(async () => {
      context.database = reachable;
      await unreachable.close();
    });
    const answer = await call("GET", path);
    expectPage(answer, 503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.text).toContain("Something went wrong on our side");
    expect(answer.text).toContain(answer.headers.get("svc-request-id") ?? "none");
    expect(answer.text).not.toMatch(/ECONN|postgres|\.ts/);
  });
});

describe("302 back to the redirect URI", () => {
  it.each([
    ["token", "unsupported_response_type"],
    ["code token", "unsupported_response_type"],
    ["CODE", "unsupported_response_type"],
    ["", "unsupported_response_type"],
    [null, "unsupported_response_type"],
  ])("has error=unsupported_response_type for response_type %j", async (response_type, error) => {
    const answer = await authorize(await newApplication(), { response_type });
    expectAnswered(answer, { error, state: STATE });
  });

  it.each([
    ...["read_write!", "a,b", "a  b", " a", "a ", "ä", "a\tb", '"', "read_write\u0000"],
    ...["read_write  read_events", " read_write", "read_write ", "read_events,create_event", "READ_WRITE"],
    ...["admin", "read_write admin", "openid admin", "constructor"],
  ])("has error=invalid_scope for the scope %j, which is malformed or unknown", async (scope) => {
    const answer = await authorize(await newApplication(), { scope });
    expectAnswered(answer, { error: "invalid_scope", state: STATE });
    const description = new URL(answer.headers.get("location") ?? "").searchParams.get("error_description");
    expect(description).toBe(`scope must be one or more of ${KNOWN_SCOPES.join(" ")} separated by single spaces`);
  });

  it.each(["write", "full", "READ", "read free_busy", "free-busy", "constructor"])(
    "has error=invalid_request for the access %s",
    async (access) => {
      const answer = await authorize(await newApplication(), { access });
      expectAnswered(answer, { error: "invalid_request", state: STATE });
      const description = new URL(answer.headers.get("location") ?? "").searchParams.get("error_description");
      expect(description).toBe("access must be read or free_busy, or omitted");
    },
  );

  it("has no state where none was sent", async () => {
    const answer = await authorize(await newApplication(), { response_type: "token", state: null });
    expectAnswered(answer, { error: "unsupported_response_type" });
  });

  it.each(["x", "%41%2B+ +", "\u0000\r\nSet-Cookie: a=b", "日本語 🗓", "<script>", "s".repeat(5_000)])(
    "has the state unchanged: %j",
    async (state) => {
      const answer = await authorize(await newApplication(), { response_type: "token", state });
      expectAnswered(answer, { error: "unsupported_response_type", state });
    },
  );

  it.each([
    [{ code_challenge: CHALLENGE }],
    [{ code_challenge: CHALLENGE, code_challenge_method: "plain" }],
    [{ code_challenge: "short", code_challenge_method: "S256" }],
  ])("has error=invalid_request for a code_challenge that is not one of S256: %j (RFC 7636)", async (given) => {
    const answer = await authorize(await newApplication(), given);
    expectAnswered(answer, { error: "invalid_request", state: STATE });
  });

  it("keeps the query that the redirect URI was registered with", async () => {
    const registered = "https://app.acme.io/cb?tenant=a%20b&x=";
    const application = await applicationNamed("Acme", [registered]);
    const answer = await authorize(application, { redirect_uri: registered, response_type: "token", state: "1" });
    const description = "error_description=response_type%20must%20be%20code";
    expect(answer.headers.get("location")).toBe(`${registered}&error=unsupported_response_type&${description}&state=1`);
  });
});

describe("a link token that cannot be used", () => {
  it.each(["lt_unknown", "x", "\u0000", "x".repeat(3_000)])(
    "is a page that says so, with error=access_denied and a description on the way back: %j",
    async (link_token) => expectEnded(await authorize(await newApplication(), { link_token })),
  );

  it("is one of another application", async () => {
    const { accessToken } = await connectedWithTokens(await newApplication());
    const { link_token } = (await withToken("POST", "/v1/link_tokens", accessToken)).json;
    expectEnded(await authorize(await newApplication(), { link_token }));
  });

  function expectEnded(answer: ApiResponse): void {
    expectPage(answer, 400);
    expect(answer.text).toContain("This link is no longer valid");
    const [back, ...others] = links(answer);
    expect(others).toEqual([]);
    expect(Object.fromEntries(new URL(back ?? "").searchParams)).toEqual({
      error: "access_denied",
      error_description: "The link token is unknown, used or expired",
      state: STATE,
    });
  }
});

describe("400 HTML, never a redirect", () => {
  const cases: [string, Record<string, string | null>][] = [
    ["an unknown client id", { client_id: "unknown" }],
    ["no client id", { client_id: null }],
    ["an empty client id", { client_id: "" }],
    ["a client id that cannot be stored", { client_id: "\u0000" }],
    ["a client id of 5,000 characters", { client_id: "x".repeat(5_000) }],
    ["no redirect URI", { redirect_uri: null }],
    ["an unregistered redirect URI", { redirect_uri: "https://elsewhere.io/callback" }],
    ["a redirect URI with a slash more", { redirect_uri: `${REDIRECT_URI}/` }],
    ["a redirect URI with a query more", { redirect_uri: `${REDIRECT_URI}?a=b` }],
    ["a redirect URI with a fragment", { redirect_uri: `${REDIRECT_URI}#a` }],
    ["a redirect URI in other case", { redirect_uri: REDIRECT_URI.toUpperCase() }],
    ["a redirect URI with another port", { redirect_uri: "https://app.acme.io:443/callback" }],
    ["a redirect URI with credentials", { redirect_uri: "https://a:b@app.acme.io/callback" }],
    ["a redirect URI with a path that leads back", { redirect_uri: "https://app.acme.io/x/../callback" }],
    ["a redirect URI that runs a script", { redirect_uri: "javascript:alert(1)" }],
    ["a redirect URI that cannot be stored", { redirect_uri: "\u0000" }],
  ];

  it.each(cases)("is the answer to %s, whatever else is wrong", async (_, given) => {
    const application = await newApplication();
    const faults = { response_type: "token", scope: "!", link_token: "lt_x" };
    for (const asked of [given, { ...given, ...faults }]) {
      const answer = await authorize(application, asked);
      expectPage(answer, 400);
      expect(answer.headers.get("location")).toBeNull();
      expect(links(answer)).toEqual([]);
    }
  });

  it("is the answer to another application's redirect URI", async () => {
    await applicationNamed("Other", ["https://other.io/callback"]);
    const answer = await authorize(await newApplication(), { redirect_uri: "https://other.io/callback" });
    expectPage(answer, 400);
  });

  it.each(["client_id", "redirect_uri", "response_type", "state", "scope", "link_token", "provider_name"])(
    "is the answer to %s sent twice, even with one value",
    async (name) => {
      const path = authorizePath(await newApplication(), { scope: "a", link_token: "b", provider_name: "apple" });
      const value = new URL(path, "http://x").searchParams.get(name) ?? "";
      for (const second of [value, "other", ""]) {
        expectPage(await call("GET", `${path}&${name}=${encodeURIComponent(second)}`), 400);
      }
    },
  );

  it("speaks the person's language", async () => {
    const answer = await authorize(await newApplication(), { client_id: "x", locale: "de" });
    expect(answer.text).toContain("Dieser Link funktioniert nicht");
  });

  it("is the answer to a request that somebody made up or changed", async () => {
    const { fields, cookie } = await openForm(await newApplication());
    const [body = "", mac = ""] = (fields.request ?? "").split(".");
    const changed = Buffer.from(body, "base64url").toString().replace(REDIRECT_URI, "https://elsewhere.io/cb");
    const forged = `${Buffer.from(changed).toString("base64url")}.${mac}`;
    for (const request of ["", ".", "x", `${body}.`, `.${mac}`, `${body}.${mac}.x`, forged, "x".repeat(4_000)]) {
      expectPage(await call("GET", `/oauth/authorize?request=${request}`, { headers: { cookie } }), 400);
    }
  });
});

describe("the other methods", () => {
  it("are 405, empty, with Allow: GET, HEAD, POST", async () => {
    const path = authorizePath(await newApplication());
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await call(method, path);
      expectEmpty(answer, 405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
    }
  });
});

describe("the request log", () => {
  beforeEach(newProcessServices);

  async function logged(fields: Record<string, string>, application?: Application) {
    const sender = application ?? (await newApplication());
    const id = `test-${randomBytes(8).toString("hex")}`;
    await authorize(sender, fields, { "svc-request-id": id, cookie: "almanac-connect=canary" });
    const [row] = await loggedRequests(id);
    if (!row) throw new Error("nothing was logged");
    return { ...row, sender };
  }

  it("keeps who asked and the redirect URI, and neither state nor link token nor cookie", async () => {
    const { text, query, sender, ...rest } = await logged({ state: "canary", link_token: "lt_canary_canary_canary" });
    expect(rest).toMatchObject({ applicationId: await applicationId(sender), errorKeys: ["invalid_link_token"] });
    expect(query).toContain(`client_id=${sender.clientId}&redirect_uri=https:%2F%2Fapp.acme.io%2Fcallback&`);
    expect(text).not.toContain("canary");
  });

  it("keeps of a redirect URI neither query nor credentials", async () => {
    const { text } = await logged({ redirect_uri: "https://canary:canary@app.acme.io/cb?tenant=canary#canary" });
    expect(text).toContain("redirect_uri=https:%2F%2Fapp.acme.io%2Fcb%3F[redacted]");
    expect(text).not.toContain("canary");
  });

  it.each([
    ["redirect_uri_mismatch", { redirect_uri: "https://elsewhere.io/cb" }, true],
    ["invalid_client", { client_id: "unknown" }, false],
    ["unsupported_response_type", { response_type: "token" }, true],
    ["invalid_scope", { scope: "a,b" }, true],
    ["invalid_request", { access: "write" }, true],
  ])("says why it was refused: %s", async (key, fields, isKnown) => {
    const { sender, ...row } = await logged(fields);
    expect(row.errorKeys).toEqual([key]);
    expect(row.applicationId).toBe(isKnown ? await applicationId(sender) : null);
  });
});
