import { beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { openFeed } from "./feeds";
import { ownDatabase } from "./own-database";
import { rawRequest } from "./raw-request";
import { dump, expectNone, output } from "./searched-secrets";
import { newProcessServices, openCalendar } from "./service";

// Everything that is stored is looked through.
ownDatabase();

beforeEach(newProcessServices);

it("the address of a feed is nowhere, however it is asked for, and whatever becomes of the request", async () => {
  const printed = output();
  const opened = await openCalendar();
  const { path, id } = await openFeed(opened, { detail: "full" });
  const secret = /\/([\w-]{43})\.ics$/.exec(path)?.[1] ?? "none";
  const headers = { authorization: `Bearer ${opened.accessToken}` };
  const targets = [
    path,
    `${path}?x=${secret}`,
    `/v1${path}`,
    `/v1/feeds/${secret}`,
    `/feeds/${secret}`,
    `${path}/more`,
  ];
  targets.push(`/v1/calendars/${opened.calendarId}/feeds/${secret}`, `/v1/events?feed=${secret}&tzid=${secret}`);
  targets.push(`/oauth${path}`, `/v1/${encodeURIComponent(path)}`);
  for (const target of targets) {
    for (const method of ["GET", "HEAD", "DELETE", "PUT"]) {
      await rawRequest({ method, target, headers: { ...headers, referer: `https://acme.io${path}` } });
    }
  }
  // One that fails: the error may not name the address either.
  const { query } = db();
  await query("ALTER TABLE calendar_feeds RENAME TO calendar_feeds_away");
  const failed = await rawRequest({ method: "GET", target: path });
  await query("ALTER TABLE calendar_feeds_away RENAME TO calendar_feeds");
  expect(failed.status).toBe(500);
  const stored = await dump();
  expect(stored).toContain(id);
  expect(stored).toContain("/v1/");
  expectNone([secret], stored);
  expectNone([secret], printed.text());
});
