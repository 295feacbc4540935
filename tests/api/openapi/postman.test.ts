import { describe, expect, it } from "vitest";
import { DEMO_REDIRECT_URI } from "@/server/domain/redirect-uri";
import { provideEnv } from "@/server/env";
import {
  POSTMAN_SCHEMA,
  type PostmanCollection,
  type PostmanItem,
  type PostmanRequest,
} from "@/server/http/openapi/postman";
import { servedDocument } from "@/server/http/openapi/served";
import { newman } from "../../fakes/newman";
import { REDIRECT_URI } from "../grants";
import { address, call, newApplication, type Opened, openCalendar } from "../service";
import { write } from "../written-series";
import { exampleRequest } from "./example-request";

/** What a program that imports collections does with this one. */
interface Session {
  values: Map<string, string>;
}

async function collection(): Promise<PostmanCollection> {
  const { status, json } = await call("GET", "/openapi/postman.json");
  expect(status).toBe(200);
  return json;
}

function filled({ values }: Session, text: string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    expect([...values.keys()], name).toContain(name);
    return values.get(name) ?? "";
  });
}

function urlOf(session: Session, { url }: PostmanRequest): URL {
  const place = new Map((url.variable ?? []).map(({ key, value }) => [key, filled(session, value)]));
  const path = url.path.map((segment) =>
    segment.startsWith(":") ? (place.get(segment.slice(1)) ?? segment) : segment,
  );
  const query = (url.query ?? []).filter(({ disabled }) => !disabled);
  const search = new URLSearchParams(query.map(({ key, value }) => [key, filled(session, value)]));
  return new URL(`/${path.join("/")}?${search}`, filled(session, url.host.join(".")));
}

async function send(session: Session, auth: PostmanCollection["auth"], { request }: PostmanItem) {
  const { pathname, search } = urlOf(session, request);
  const headers = new Map(request.header.map(({ key, value }) => [key.toLowerCase(), value]));
  if (request.auth?.type === "basic") {
    const [id = "", secret = ""] = request.auth.basic.map(({ value }) => encodeURIComponent(filled(session, value)));
    headers.set("authorization", `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`);
  } else if (request.auth?.type !== "noauth")
    headers.set("authorization", `Bearer ${filled(session, auth.bearer[0]?.value ?? "")}`);
  const { body } = request;
  const sent =
    body?.mode === "raw"
      ? { body: filled(session, body.raw) }
      : body && { form: Object.fromEntries(body.urlencoded.map(({ key, value }) => [key, filled(session, value)])) };
  return await call(request.method, pathname + search, { headers: Object.fromEntries(headers), ...sent });
}

/** The uid of what a request before would have written. */
async function writtenUid(calendar: Opened): Promise<string> {
  await write(calendar, exampleRequest(servedDocument(), "writeEvent", "repeating").json as object);
  const { json } = await calendar.get("/v1/changes?from=beginning");
  return json.changes.at(-1).event_uid;
}

describe("the Postman collection", () => {
  it("has every endpoint once, in its group or at the end, as the document describes it", async () => {
    const { info, item } = await collection();
    expect(info).toMatchObject({ name: "Almanac", schema: POSTMAN_SCHEMA });
    const { paths, tags } = servedDocument();
    const own = Object.values(paths).flatMap((each) => Object.values(each));
    const shown = item.flatMap((folder) =>
      folder.item.map(({ name, request }) => [folder.name, name, request.description]),
    );
    const groupOf = ({ operationId, tags: [tag] }: (typeof own)[number]) =>
      operationId === "revokeToken" ? "Revoking" : tag;
    expect(shown.sort()).toEqual(own.map((each) => [groupOf(each), each.summary, each.description]).sort());
    expect(item.map(({ name }) => name)).toEqual([...tags.map(({ name }) => name), "Revoking"]);
  });

  it("names no variable that it doesn't have, and holds no secret", async () => {
    const all = await collection();
    const named = [...JSON.stringify(all.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    expect(all.variable.map(({ key }) => key)).toEqual(expect.arrayContaining([...new Set(named)]));
    const given = all.variable.filter(({ key, value }) => !key.endsWith("_url") && value !== "");
    expect(given).toEqual([{ key: "redirect_uri", value: DEMO_REDIRECT_URI }]);
    expect(JSON.stringify(all)).not.toMatch(/\b(at|rt)_[\w-]{20}/);
  });

  it("has a valid value for each parameter that can be switched on", async () => {
    const { auth, item, variable } = await collection();
    const calendar = await openCalendar();
    const session: Session = { values: new Map(variable.map(({ key, value }) => [key, value])) };
    for (const [name, value] of [
      ...[...session.values.keys()]
        .filter((key) => key.endsWith("_url"))
        .map((key) => [key, "http://almanac.test"] as const),
      ["client_id", calendar.application.clientId],
      ["token", calendar.accessToken],
      ["calendar_id", calendar.calendarId],
      ["redirect_uri", REDIRECT_URI],
      ["event_uid", ""],
    ] as const) {
      session.values.set(name, value);
    }
    const wrong: unknown[] = [];
    const tried: string[] = [];
    for (const each of item.flatMap((folder) => folder.item)) {
      const { url } = each.request;
      for (const { key, value } of url.query?.filter(({ disabled, value }) => disabled && value !== "") ?? []) {
        const query = url.query?.map((one) => ({
          ...one,
          disabled: one.disabled && one.key !== key,
        }));
        if (each.request.url.path.includes(":event_uid")) session.values.set("event_uid", await writtenUid(calendar));
        const { status, headers } = await send(session, auth, {
          ...each,
          request: { ...each.request, url: { ...url, query } },
        });
        tried.push(key);
        const isRefused = status >= 400 && each.name !== "Reply to an invitation";
        if (isRefused || headers.get("location")?.includes("error=")) wrong.push([each.name, key, value, status]);
      }
    }
    expect(tried).toContain("scope");
    expect(wrong).toEqual([]);
  });

  it("runs green in newman from top to bottom, and again, with nothing but an application's credentials", async () => {
    const origin = await address();
    provideEnv({ BASE_URL: origin, APP_URL: origin });
    const application = await newApplication({ redirectUris: [DEMO_REDIRECT_URI] });
    const all = (await collection()).item.flatMap((folder) => folder.item.map(({ name }) => name));
    for (let run = 0; run < 2; run += 1) {
      const { code, sent, failures } = await newman(`${origin}/openapi/postman.json`, application);
      expect([code, failures]).toEqual([0, []]);
      expect(sent).toEqual(all);
    }
  });

  it("has no request to the sandbox where that is off", async () => {
    provideEnv({ SANDBOX: "off" });
    const { item } = await collection();
    expect(item.map(({ name }) => name)).not.toContain("Sandbox");
    expect(item.at(-1)?.name).toBe("Revoking");
  });

  it("is a file to save, and comes once", async () => {
    const { headers } = await call("GET", "/openapi/postman.json");
    expect(headers.get("content-disposition")).toBe('attachment; filename="almanac.postman_collection.json"');
    const again = await call("GET", "/openapi/postman.json", {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await call("POST", "/openapi/postman.json")).status).toBe(405);
  });
});
