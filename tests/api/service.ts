import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { frontDoor, type RouteModule } from "@/server/front-door/server";
import { processServices } from "@/server/http/process-services";
import { registerApplication } from "@/server/store/applications/register";
import { afterFile } from "./after-file";
import { checkResponse } from "./openapi/response-check";

const modules = import.meta.glob<RouteModule>(["/app/**/route.ts", "/app/.well-known/**/route.ts"], { eager: true });
const routes = Object.fromEntries(
  Object.entries(modules).map(([file, module]) => [
    // A folder in brackets is a group, and no part of the address.
    file
      .replace(/^\/app/, "")
      .replace(/\/\([^/)]*\)/g, "")
      .replace(/\/route\.ts$/, ""),
    module,
  ]),
);

let listening: Promise<string> | undefined;

/** Where the service under test listens, from the first call of a test file on until its end. */
export function address(): Promise<string> {
  listening ??= listen();
  return listening;
}

async function listen(): Promise<string> {
  const front = frontDoor({ routes });
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  afterFile(async () => {
    listening = undefined;
    await front.close();
  });
  return `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documented JSON of many shapes.
  json: any;
}

/** One request to the service under test, over a real socket; its answer must be one that the OpenAPI document has. `path` may hold a query; `json` and `form` set the content type. */
export async function call(
  method: string,
  path: string,
  {
    json,
    form,
    body,
    headers = {},
  }: { json?: unknown; form?: Record<string, string>; body?: BodyInit; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const type: Record<string, string> = json !== undefined ? { "content-type": "application/json" } : {};
  const sent = form ? new URLSearchParams(form) : json !== undefined ? JSON.stringify(json) : body;
  const response = await fetch((await address()) + path, {
    method,
    headers: { ...type, ...headers },
    body: sent,
    redirect: "manual",
    duplex: "half",
  } as RequestInit);
  const text = await response.text();
  checkResponse({ method, path }, { status: response.status, headers: response.headers, text });
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** A request log and a limiter as after a start: what earlier tests sent from this address counts no more. */
export async function newProcessServices(): Promise<void> {
  await processServices().requestLog.flush(10_000);
  await processServices().close();
  context.services = undefined;
}

export interface Application {
  clientId: string;
  clientSecret: string;
}

/** A new application of its own for a test. */
export async function newApplication(
  given: {
    compatibilityMode?: boolean;
    plan?: "developer" | "standard";
    clientId?: string;
    clientSecret?: string;
    redirectUris?: string[];
  } = {},
): Promise<Application> {
  const made = {
    clientId: given.clientId ?? `test_${randomBytes(8).toString("hex")}`,
    clientSecret: given.clientSecret ?? randomBytes(24).toString("base64url"),
  };
  await registerApplication(
    db(),
    {
      name: "Test",
      redirectUris: ["https://app.acme.io/callback"],
      compatibilityMode: false,
      plan: "standard",
      ...given,
      ...made,
    },
    clock().now(),
  );
  return made;
}

/** An application calendar that a test opened, and calls on its behalf. */
export interface Opened {
  application: Application;
  accessToken: string;
  refreshToken: string;
  accountId: string;
  profileId: string;
  calendarId: string;
  get(path: string, query?: Record<string, string | string[]>): Promise<ApiResponse>;
  post(path: string, json: unknown): Promise<ApiResponse>;
  remove(path: string, json: unknown): Promise<ApiResponse>;
  /** Writes an event into the calendar and expects 202. */
  write(event: Record<string, unknown>): Promise<void>;
}

export async function openCalendar(
  application?: Application,
  name = `calendar-${randomBytes(6).toString("hex")}`,
): Promise<Opened> {
  const owner = application ?? (await newApplication());
  const { clientId: client_id, clientSecret: client_secret } = owner;
  const opened = await call("POST", "/v1/application_calendars", {
    json: { client_id, client_secret, application_calendar_id: name },
  });
  if (opened.status !== 200) throw new Error(`an application calendar was not opened: ${opened.status} ${opened.text}`);
  const headers = { authorization: `Bearer ${opened.json.access_token}` };
  const calendars = await call("GET", "/v1/calendars", { headers });
  const calendarId = calendars.json.calendars[0].calendar_id;
  const post = (path: string, json: unknown) => call("POST", path, { json, headers });
  return {
    application: owner,
    accessToken: opened.json.access_token,
    refreshToken: opened.json.refresh_token,
    accountId: opened.json.sub,
    profileId: opened.json.linking_profile.profile_id,
    calendarId,
    get: (path, query) => call("GET", query ? `${path}?${search(query)}` : path, { headers }),
    post,
    remove: (path, json) => call("DELETE", path, { json, headers }),
    write: async (event) => {
      const answer = await post(`/v1/calendars/${calendarId}/events`, event);
      if (answer.status !== 202) throw new Error(`an event was not written: ${answer.status} ${answer.text}`);
    },
  };
}

function search(query: Record<string, string | string[]>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, item]));
  return new URLSearchParams(pairs).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
