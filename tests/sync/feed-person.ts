import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { provideConnector } from "@/server/providers/connectors";
import { type FeedOptions, feedConnector } from "@/server/providers/feed/connector";
import { syncs } from "@/server/sync/syncs";
import { refresh, withToken } from "../api/grants";
import { type Opened, openCalendar } from "../api/service";
import { type Feed, type FeedServer, startFeedServer } from "../fakes/feed-server";
import { setSyncDueNow } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { day, POLL_MS } from "./world";

/** A publisher of feeds for one file, whose feeds may be subscribed to. */
export function feedServer(): () => FeedServer {
  let server: FeedServer;
  beforeAll(async () => {
    server = await startFeedServer();
  });
  fileEnvironment(() => ({ FEED_ALLOWED_ORIGINS: server.origin, LOG_LEVEL: "error" }));
  afterAll(() => server.close());
  return () => server;
}

export interface Subscriber extends Opened {
  /** Of the feed. */
  calendarId: string;
  profileId: string;
  path: string;
  put(feed: Feed | string): void;
  sync(): Promise<void>;
  /** Its access token has expired. */
  refresh(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
  events(query?: Record<string, string>): Promise<any[]>;
  summaries(): Promise<string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
  status(): Promise<any>;
}

interface Subscribing extends Partial<FeedOptions> {
  url?: string;
  opened?: Opened;
  refreshMinutes?: number;
}

/** An account that has subscribed to a feed of the server. Nothing was read yet. */
export async function subscriber(server: FeedServer, feed: Feed | string, more: Subscribing = {}): Promise<Subscriber> {
  const path = `/${randomBytes(8).toString("hex")}.ics`;
  server.put(path, feed);
  const { url = server.url(path), opened: given, refreshMinutes = 15, ...options } = more;
  const opened = given ?? (await openCalendar());
  const body = { url, name: "Team", refresh_minutes: refreshMinutes };
  const created = await opened.post("/v1/subscriptions", body);
  expect(created.status, created.text).toBe(201);
  const calendarId = created.json.calendar_id;
  const { json } = await opened.get("/v1/subscriptions");
  const { profile_id: profileId } = json.subscriptions.find(
    (one: { calendar_id: string }) => one.calendar_id === calendarId,
  );
  const connector = feedConnector({ allowedOrigins: [server.origin], ...options });
  provideConnector("feed", connector);
  const syncing = syncs({ db, connectorOf: (name) => (name === "feed" ? connector : null), pollMs: POLL_MS });
  onTestFinished(async () => {
    await syncing.stop();
    provideConnector("feed", null);
    await db().prisma.profileSync.updateMany({ where: { profileId }, data: { syncDueAt: null } });
  });
  let { accessToken, refreshToken } = opened;
  const get: Opened["get"] = (path, query = {}) =>
    withToken("GET", `${path}?${new URLSearchParams(query as Record<string, string>)}`, accessToken);
  const events = async (query = {}) => {
    const range = { from: day(-1), to: day(30), tzid: "Etc/UTC", "calendar_ids[]": calendarId };
    const answer = await get("/v1/events", { ...range, ...query });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.events;
  };
  return {
    ...{ ...opened, get, calendarId, profileId, path, events },
    put: (next) => server.put(path, next),
    sync: async () => {
      await setSyncDueNow(profileId);
      await syncing.drain(60_000);
    },
    refresh: async () => {
      const { json } = await refresh(opened.application, refreshToken);
      accessToken = json.access_token;
      refreshToken = json.refresh_token ?? refreshToken;
    },
    summaries: async () => (await events()).map(({ summary }: { summary: string }) => summary).sort(),
    status: async () => (await get(`/v1/profiles/${profileId}/status`)).json,
  };
}

/** A calendar file. */
export const calendar = (...parts: string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:PUBLISH", ...parts, "END:VCALENDAR", ""].join("\r\n");
