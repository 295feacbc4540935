import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { cookieName } from "@/server/auth/session-cookie";
import { provideEnv } from "@/server/env";
import { type FrontDoor, frontDoor } from "@/server/front-door/server";
import { signInWithoutSession } from "@/server/front-door/signed-out";
import { staffSecrets } from "@/server/http/staff/session-secrets";

let front: FrontDoor;
let rendered: string[] = [];

beforeAll(async () => {
  provideEnv({
    BASE_URL: "http://localhost",
    LOG_LEVEL: "silent",
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
  });
  front = frontDoor({
    routes: {},
    elsewhere: signInWithoutSession,
    fallback: (req, res) => {
      rendered.push(req.url ?? "");
      res.end("a page");
    },
  });
  front.server.listen(0, "127.0.0.1");
  await once(front.server, "listening");
});
beforeEach(() => {
  rendered = [];
});
afterAll(() => front.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(front.server.address() as AddressInfo).port}${path}`, { headers, redirect: "manual" });

async function cookie(sessionId = `ses_${"0".repeat(24)}`, [secret = ""] = staffSecrets()): Promise<string> {
  return `almanac_theme=dark; ${cookieName("session")}=${await encode({ secret, token: { sessionId } })}`;
}

it.each([
  ["/dashboard", "/dashboard/sign-in"],
  ["/dashboard/accounts?q=a&_rsc=1", "/dashboard/sign-in?from=%2Fdashboard%2Faccounts%3Fq%3Da"],
  ["/%64ashboard/nothing", "/dashboard/sign-in"],
])("%s is rendered for nobody without a session: it leads to the sign-in page", async (path, location) => {
  const forged = await cookie(undefined, ["another secret"]);
  for (const sent of ["", "a=b", "almanac-session=", "almanac-session=forged", forged, await cookie("nobody")]) {
    for (const more of [{}, { rsc: "1" }] as Record<string, string>[]) {
      const response = await get(path, { cookie: sent, ...more });
      expect([response.status, response.headers.get("location"), await response.text()]).toEqual([307, location, ""]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  }
  expect(rendered).toEqual([]);
});

it("a page is rendered for whoever has a session, and one that needs none for everybody", async () => {
  expect(await (await get("/dashboard/accounts", { cookie: await cookie() })).text()).toBe("a page");
  for (const path of [
    "/dashboard/sign-in/",
    "/dashboard/invitation/",
    "/dashboard/requests/export?q=a",
    "/dashboards",
    "/",
  ])
    expect(await (await get(path)).text()).toBe("a page");
  expect(rendered).toHaveLength(6);
});
