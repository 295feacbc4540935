import { describe, expect, it } from "vitest";
import {
  POSTMAN_SCHEMA,
  type PostmanCollection,
  type PostmanItem,
  type PostmanRequest,
} from "@/server/http/openapi/postman";
import { servedDocument } from "@/server/http/openapi/served";
import { REDIRECT_URI } from "../grants";
import { address, call, newApplication, openCalendar } from "../service";
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

async function send(session: Session, auth: PostmanCollection["auth"], { request, event = [] }: PostmanItem) {
  const { pathname, search } = urlOf(session, request);
  const headers = new Map(request.header.map(({ key, value }) => [key.toLowerCase(), value]));
  if (request.auth?.type !== "noauth")
    headers.set("authorization", `Bearer ${filled(session, auth.bearer[0]?.value ?? "")}`);
  const { body } = request;
  const sent =
    body?.mode === "raw"
      ? { body: filled(session, body.raw) }
      : body && { form: Object.fromEntries(body.urlencoded.map(({ key, value }) => [key, filled(session, value)])) };
  const response = await call(request.method, pathname + search, { headers: Object.fromEntries(headers), ...sent });
  if (response.status >= 400) return response;
  const pm = {
    response: { json: () => response.json },
    collectionVariables: { set: (name: string, value: string) => session.values.set(name, value) },
  };
  for (const { script } of event) new Function("pm", script.exec.join("\n"))(pm);
  return response;
}

describe("the Postman collection", () => {
  it("has every endpoint once, in its group, as the document describes it", async () => {
    const { info, item } = await collection();
    expect(info).toMatchObject({ name: "Almanac", schema: POSTMAN_SCHEMA });
    const { paths, tags } = servedDocument();
    const own = Object.values(paths).flatMap((each) => Object.values(each));
    const shown = item.flatMap((folder) =>
      folder.item.map(({ name, request }) => [folder.name, name, request.description]),
    );
    expect(shown.sort()).toEqual(
      own.map(({ tags: [tag], summary, description }) => [tag, summary, description]).sort(),
    );
    expect(item.map(({ name }) => name)).toEqual(tags.map(({ name }) => name));
  });

  it("names no variable that it doesn't have, and holds no secret", async () => {
    const all = await collection();
    const named = [...JSON.stringify(all.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    expect(all.variable.map(({ key }) => key)).toEqual(expect.arrayContaining([...new Set(named)]));
    expect(all.variable.filter(({ key, value }) => !key.endsWith("_url") && value !== "")).toEqual([]);
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
          ...(one.key === "redirect_uri" && { value: REDIRECT_URI }),
          disabled: one.disabled && one.key !== key,
        }));
        const { status, headers } = await send(session, auth, {
          ...each,
          request: { ...each.request, url: { ...url, query } },
        });
        tried.push(key);
        if (status >= 400 || headers.get("location")?.includes("error=")) wrong.push([each.name, key, value, status]);
      }
    }
    expect(tried).toContain("scope");
    expect(wrong).toEqual([]);
  });

  it("works when it is sent from top to bottom, after the two requests that it says come first", async () => {
    const { auth, item, variable } = await collection();
    const { clientId, clientSecret } = await newApplication();
    const session: Session = { values: new Map(variable.map(({ key, value }) => [key, value])) };
    for (const [name, value] of [
      ["base_url", await address()],
      ["app_url", await address()],
      ["client_id", clientId],
      ["client_secret", clientSecret],
    ] as const) {
      session.values.set(name, value);
    }
    const items = item.flatMap((folder) => folder.item);
    const named = (name: string) => items.find((each) => each.name === name) as PostmanItem;
    for (const name of ["Open an application calendar", "List calendars"]) {
      expect((await send(session, auth, named(name))).status).toBe(200);
    }
    expect(session.values.get("calendar_id")).toMatch(/^cal_/);
    // A user's browser is sent to the connect page, and the code that it brings back is not in a collection.
    const skipped = new Set([
      "Connect a calendar account",
      "Get tokens",
      "Revoke a connection",
      "Create a channel",
      "Send a test event",
      "Close a channel",
    ]);
    // The one that changes an occurrence needs the series of another example.
    const { body } = exampleRequest(servedDocument(), "writeEvent", "repeating");
    const token = { authorization: `Bearer ${session.values.get("token")}` };
    const path = `/v1/calendars/${session.values.get("calendar_id")}/events`;
    expect((await call("POST", path, { headers: token, json: body })).status).toBe(202);
    const statuses: [string, number][] = [];
    for (const each of items.filter(({ name }) => !skipped.has(name))) {
      statuses.push([each.name, (await send(session, auth, each)).status]);
    }
    expect(statuses.filter(([, status]) => status >= 300)).toEqual([]);
    expect((await send(session, auth, named("Revoke a connection"))).status).toBe(200);
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
