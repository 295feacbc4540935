import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pagePolicy } from "@/server/front-door/page-policy";
import { type FrontDoor, frontDoor } from "@/server/front-door/server";

let front: FrontDoor;
let origin: string;
beforeAll(async () => {
  const policy = pagePolicy({ isDev: false, formEnds: [] });
  front = frontDoor({ routes: {}, policy, fallback: (req, res) => void res.end(JSON.stringify(req.headers)) });
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
});
afterAll(() => front.close());

async function pathSeen(path: string): Promise<unknown> {
  const answer = await fetch(origin + path, { headers: { "x-almanac-path": "/dashboard/forged" } });
  return ((await answer.json()) as Record<string, unknown>)["x-almanac-path"];
}

it("a page is told its own path, and none that a caller sent", async () => {
  expect(await pathSeen("/dashboard/deliveries?state=failed")).toBe("/dashboard/deliveries?state=failed");
  expect(await pathSeen("/api/trpc/session.me")).toBeUndefined();
});
