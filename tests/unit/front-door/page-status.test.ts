import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setImmediate as aMoment } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import { type Fallback, type FrontDoor, frontDoor } from "@/server/front-door/server";
import { pageIsMissing } from "@/server/http/staff/missing-page";

let front: FrontDoor | undefined;
beforeAll(() => provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent" }));
afterEach(() => front?.close());

/** The status that a page gets, compressed as the dashboard's are. */
async function statusOf(page: Fallback, headers: Record<string, string> = {}): Promise<number> {
  front = frontDoor({ routes: {}, fallback: page });
  front.server.listen(0, "127.0.0.1");
  await once(front.server, "listening");
  const { port } = front.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/dashboard/x`, { headers, redirect: "manual" });
  await response.text();
  return response.status;
}

const missing: Fallback = async (_req, res) => {
  await aMoment();
  pageIsMissing();
  res.end("<p>Account not found</p>");
};

describe("a page about something that does not exist", () => {
  it("has the status 404, also where its head is written as a whole", async () => {
    expect(await statusOf(missing)).toBe(404);
    const whole: Fallback = (req, res) => {
      pageIsMissing();
      res.writeHead(200, { "content-type": "text/html" });
      res.end(String(req.url));
    };
    expect(await statusOf(whole)).toBe(404);
  });

  it("is 200 for the router in the browser, which would load the document again", async () => {
    expect(await statusOf(missing, { rsc: "1" })).toBe(200);
  });

  it("keeps another status, such as that of a redirect", async () => {
    const elsewhere: Fallback = (_req, res) => {
      pageIsMissing();
      res.statusCode = 307;
      res.end();
    };
    expect(await statusOf(elsewhere)).toBe(307);
  });
});

it("what one page says counts for no other at the same time", async () => {
  const [, other] = await Promise.all([statusOf(missing), statusOf((_req, res) => void res.end("found"))]);
  expect(other).toBe(200);
});
