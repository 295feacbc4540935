import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setImmediate as aMoment } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import { type Fallback, type FrontDoor, frontDoor } from "@/server/front-door/server";
import { pageIsMissing, pageMustWait } from "@/server/http/staff/page-response";

let front: FrontDoor | undefined;
beforeAll(() => provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent" }));
afterEach(() => front?.close());

interface Shown {
  status: number;
  wait: string | null;
  text: string;
}

/** How a page is sent, compressed as the dashboard's are. */
async function shown(page: Fallback, headers: Record<string, string> = {}): Promise<Shown> {
  front = frontDoor({ routes: {}, fallback: page });
  front.server.listen(0, "127.0.0.1");
  await once(front.server, "listening");
  const { port } = front.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/dashboard/x`, { headers, redirect: "manual" });
  return { status: response.status, wait: response.headers.get("retry-after"), text: await response.text() };
}

const statusOf = async (...given: Parameters<typeof shown>) => (await shown(...given)).status;

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

describe("a page that failed for a reason that passes", () => {
  const failed: Record<string, Fallback> = {
    "by pieces": async (_req, res) => {
      pageMustWait(5);
      await aMoment();
      res.statusCode = 500;
      res.write("<html id='__next_error__'>");
      await aMoment();
      res.end("</html>");
    },
    "at once": (_req, res) => {
      pageMustWait(5);
      res.writeHead(500, { "content-type": "text/html", "content-length": 7 });
      res.end("<html/>");
    },
  };

  it.each(Object.keys(failed))(
    "is 503 with Retry-After and says so without a script, however it is written: %s",
    async (way) => {
      const page = failed[way] as Fallback;
      const { status, wait, text } = await shown(page);
      expect({ status, wait }).toEqual({ status: 503, wait: "5" });
      expect(text).toContain("<h1>Almanac is busy right now</h1>");
      expect(text).not.toContain("__next_error__");
      expect(text).not.toContain("<html/>");
    },
  );

  it("stays as it is for the router in the browser", async () => {
    expect((await shown(failed["by pieces"] as Fallback, { rsc: "1" })).text).toContain("__next_error__");
  });

  it("that has begun to be sent stays as it is", async () => {
    const late: Fallback = async (_req, res) => {
      res.write("<html>");
      pageMustWait(5);
      res.end("</html>");
    };
    expect(await shown(late)).toEqual({ status: 200, wait: null, text: "<html></html>" });
  });
});

it("what one page says counts for no other at the same time", async () => {
  const [, other] = await Promise.all([statusOf(missing), statusOf((_req, res) => void res.end("found"))]);
  expect(other).toBe(200);
});
