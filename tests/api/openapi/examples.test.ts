import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { notificationBody } from "@/server/domain/channels/notification";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import type { Instant } from "@/server/domain/time/instant";
import { env, provideEnv } from "@/server/env";
import { type Example, exampleTime, known } from "@/server/http/openapi/examples/example";
import { scenario } from "@/server/http/openapi/examples/scenario";
import { servedDocument } from "@/server/http/openapi/served";
import { operations } from "@/server/http/routes/all";
import { provideConnector } from "@/server/providers/connectors";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { fakeClock } from "../../fakes/clock";
import { startMicrosoft } from "../../fakes/microsoft/microsoft";
import { startOAuthCalendars } from "../../fakes/oauth-calendars";
import { oauthConnector } from "../../fakes/oauth-connector";
import { expireHold, setConditions, setForeignEdits } from "../../fakes/stored";
import { signInAtProvider } from "../../sync/oauth-person";
import { basic, readAll } from "../availability";
import { applicationId, connectAccount, issueCode, REDIRECT_URI } from "../grants";
import { type ApiResponse, type Application, call, newApplication, openCalendar } from "../service";
import { newOperator } from "../staff/staff-caller";
import { type ExampleRequest, exampleNames, exampleRequest } from "./example-request";
import { componentFaults } from "./response-check";
import { stableNames } from "./stable-names";

const notificationTypes = [
  "verification",
  "change",
  "profile_disconnected",
  "profile_initial_sync_completed",
  "write_refused",
] as const satisfies NotificationType[];
const recording = join(import.meta.dirname, "../../../server/http/openapi/examples/responses.json");

describe("the OpenAPI document's examples", () => {
  it("are answered as the document says (renew with RENEW=1 npx vitest run --config tests/vitest.config.ts --project contract tests/api/openapi, then the document itself)", async () => {
    const answers = await sendScenario(exampleTime);
    if (process.env.RENEW === "1") {
      writeFileSync(recording, JSON.stringify(answers));
      execFileSync("npx", ["biome", "format", "--write", recording]);
    }
    expect(answers).toEqual(JSON.parse(readFileSync(recording, "utf8")));
  });

  it.each([
    ["today", Date.now()],
    ["in winter, at the last moment of a week", Date.parse("2024-01-14T23:59:59Z")],
    ["in another year's summer, on a Monday", Date.parse("2026-07-06T00:00:00Z")],
  ])(
    "are answered in the same way when they are sent %s, with the dates that the document then has",
    async (_, now) => {
      expect(await sendScenario(now)).toEqual(JSON.parse(readFileSync(recording, "utf8")));
    },
  );

  it("are all sent", () => {
    const sent = scenario.map(({ operation, name }) => `${operation}/${name}`);
    expect(new Set(sent).size).toBe(sent.length);
    expect(exampleNames(servedDocument()).filter((name) => !sent.includes(name))).toEqual([]);
  });

  it("hold a body that the document's schema takes, wherever the answer is not a refusal of it", () => {
    const bodies = scenario.flatMap(({ operation, name, status }) => {
      const schema = operations.find(({ id }) => id === operation)?.body?.schema;
      const { body } = exampleRequest(servedDocument(), operation, name);
      return schema && body && status < 400 ? [{ name, faults: componentFaults(schema, body) }] : [];
    });
    expect(bodies.length).toBeGreaterThan(10);
    expect(bodies.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });

  it("of notifications are what the document says", () => {
    const examples = servedDocument().webhooks.notification?.post?.requestBody?.content["application/json"]?.examples;
    const values = Object.values(examples ?? {}).map(({ value }) => value);
    expect(values.flatMap((value) => componentFaults("Notification", value))).toEqual([]);
    expect(values).not.toEqual([]);
  });

  it.each(notificationTypes)("are not the only notifications that it describes: %s", (type) => {
    const channel = {
      id: known.channelId,
      callbackUrl: "https://app.acme.io/",
      calendarIds: ["cal_1"],
      onlyManaged: true,
    };
    const since = type === "change" ? (exampleTime as Instant) : null;
    expect(componentFaults("Notification", JSON.parse(notificationBody(type, channel, since)))).toEqual([]);
  });

  it.each(operations.filter(({ credential }) => credential === "bearer" || credential === "either"))(
    "are answered 401 without an access token: $method $path",
    async ({ id, method }) => {
      const example = scenario.find(({ operation }) => operation === id);
      const { path, json } = exampleRequest(servedDocument(), id, example?.name ?? "");
      expect(await call(method.toUpperCase(), path, { json })).toMatchObject({ status: 401, text: "" });
    },
  );
});

/** Sends every example as the document shows it at `now`; gives the answers with the names and dates of the recording. */
async function sendScenario(now: number): Promise<Record<string, unknown>> {
  fakeClock(now);
  provideEnv({ CLIENT_REGISTRATION: "on" });
  const scene = await openScene(now);
  const answers: Record<string, unknown> = {};
  for (const example of scenario) {
    const name = `${example.operation}/${example.name}`;
    const answer = await scene.send(example);
    expect([name, answer.status, answer.status === example.status ? "" : answer.text]).toEqual([
      name,
      example.status,
      "",
    ]);
    const location = answer.headers.get("location");
    if (location !== null) answers[name] = scene.names.inExamples(location);
    const isShown = answer.text !== "" && !answer.headers.get("content-type")?.startsWith("text/html");
    if (isShown) answers[name] = scene.names.inExamples(answer.json ?? answer.text);
  }
  return answers;
}

/** An application with a connected account and an application calendar, whose tokens come from the examples themselves. */
async function openScene(now: number) {
  const names = stableNames({ baseUrl: env().BASE_URL, appUrl: env().APP_URL, now });
  const application = await newApplication();
  await setForeignEdits(application.clientId);
  const account = await connectAccount(application);
  const compatible = await openCalendar(await newApplication({ compatibilityMode: true }), known.applicationCalendar);
  names.pair(known.clientId, application.clientId);
  names.pair(known.clientSecret, application.clientSecret);
  names.pair(known.code, await issueCode(application, account, { issuedAt: now }));
  names.pair(known.redirectUri, REDIRECT_URI);
  names.pair(known.connectedCalendarId, account.calendarIds.writable);
  names.pair(known.readonlyCalendarId, account.calendarIds.readonly);
  names.pair(known.connectedProfileId, account.profileId);
  const elsewhere = await startOAuthCalendars();
  onTestFinished(() => elsewhere.close());
  names.pair(known.importedRefreshToken, (await signInAtProvider(elsewhere)).credential);
  await addOrganization(application);
  const tokens: Record<string, string> = { compatibility: compatible.accessToken };
  return {
    names,
    send: async (example: Example): Promise<ApiResponse> => {
      const request = names.inThisRun(exampleRequest(servedDocument(), example.operation, example.name));
      // Everything that the examples show of the account until then is what a new one has.
      if (example.operation === "findAvailability") await readAll(account, now);
      if (example.name === "confirm_unreachable") await requireUnreachable(names, account);
      if (example.name === "expired") await expireHold(names.inThisRun(known.expiredBookingId), now);
      const headers = example.as === "application" ? basic(application) : bearer(tokens[example.as ?? "own"]);
      // The other examples' accounts have no credential that a provider could be asked with.
      provideConnector("google", example.operation === "importProfile" ? oauthConnector(elsewhere.url) : null);
      onTestFinished(() => provideConnector("google", null));
      const answer = await call(request.method, request.path, optionsOf(request, headers));
      if (example.name === "code") tokens.connected = answer.json.access_token;
      if (example.name === "open") {
        tokens.own = answer.json.access_token;
        names.pair(known.profileId, answer.json.linking_profile.profile_id);
        const { json } = await call("GET", "/v1/calendars", { headers: { authorization: `Bearer ${tokens.own}` } });
        names.pair(known.calendarId, json.calendars[0].calendar_id);
      }
      return answer;
    },
  };
}

/** An organization at Microsoft 365 with two rooms. */
async function addOrganization(application: Application) {
  const fake = await startMicrosoft();
  onTestFinished(() => fake.close());
  const { id: clientId, secret: clientSecret } = fake.client;
  provideConnector(
    "microsoft",
    microsoftConnector({ clientId, clientSecret, provider: "microsoft", origin: fake.origin }),
  );
  onTestFinished(() => provideConnector("microsoft", null));
  fake.addRoom({ name: "Berlin", email: "berlin@acme.io", capacity: 8, building: "Headquarters" });
  fake.addRoom({ name: "Paris", email: "paris@acme.io", capacity: 4, building: "Headquarters" });
  const { tenant, clientId: client, clientSecret: secret } = fake.addApplication({ roles: ["Place.Read.All"] });
  const admin = await newOperator("admin");
  const id = await applicationId(application);
  await admin.api.organizations.add({
    ...{ id, provider: "microsoft", tenant, clientId: client, secret, domains: ["acme.io"] },
  });
}

/** As if the provider of a hold that is confirmed had answered when it was held. */
async function requireUnreachable(names: ReturnType<typeof stableNames>, { accountId }: { accountId: string }) {
  const conditions = { require_free: [{ sub: accountId }], if_unreachable: "refuse" };
  await setConditions(names.inThisRun(known.expiredBookingId), conditions);
}

function bearer(token: string | undefined): Record<string, string> | undefined {
  return token === undefined ? undefined : { authorization: `Bearer ${token}` };
}

function optionsOf({ json, form, headers }: ExampleRequest, authorization: Record<string, string> | undefined) {
  return { json, form, headers: { ...headers, ...authorization } };
}
