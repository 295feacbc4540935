import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { listText } from "@/server/domain/json-text";
import { provideEnv } from "@/server/env";
import { frontDoor } from "@/server/front-door/server";
import { jsonOf } from "@/server/http/responses";
import { type WrittenBody, writtenBody } from "@/server/http/written-body";

const text = ({ bytes }: WrittenBody) => bytes.toString();

describe("a body that is written to be sent", () => {
  it.each([
    { of: "no items", items: [] },
    { of: "one item", items: ['{"a":1}'] },
    { of: "any characters", items: ['"ä€\u{1f600}"', '"\\ud800"', '"\ud800"', "2"] },
    { of: "more than any page", items: Array.from({ length: 400 }, (_, i) => JSON.stringify("é".repeat(1_000 + i))) },
  ])("is the same JSON as in one text: $of", ({ items }) => {
    const { body, headers } = jsonOf(200, listText('{"pages":{},"events":[', items));
    expect(headers).toEqual({ "content-type": "application/json; charset=utf-8" });
    expect(Buffer.from(`{"pages":{},"events":[${items.join()}]}`).equals((body as WrittenBody).bytes)).toBe(true);
  });

  it("keeps nothing of its pieces, which can be all of a page", () => {
    const list = listText("[", ["1", "2"]);
    jsonOf(200, list);
    expect(list.take()).toEqual([]);
  });

  it("keeps its bytes until it is released, once", () => {
    const first = writtenBody(["first"]);
    const second = writtenBody(["second"]);
    expect([text(first), text(second)]).toEqual(["first", "second"]);
    first.release();
    const third = writtenBody(["third"]);
    expect(third.bytes.buffer).toBe(first.bytes.buffer);
    first.release();
    const fourth = writtenBody(["fourth"]);
    expect([text(second), text(third), text(fourth)]).toEqual(["second", "third", "fourth"]);
  });

  it("arrives whole, also when many are on their way to clients that read at their own pace", async () => {
    provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent" });
    const pageOf = (n: number) =>
      listText(
        `{"n":${n},"items":[`,
        Array.from({ length: 300 }, () => `"${n}".`.repeat(100)),
      );
    const direct = async ({ url }: { url: string }) => jsonOf(200, pageOf(Number(new URL(url).searchParams.get("n"))));
    const page = Object.assign(() => new Response(null, { status: 500 }), { direct });
    const front = frontDoor({ routes: { "/v1/page": { GET: page } } });
    onTestFinished(() => front.close(0));
    front.server.listen(0, "127.0.0.1");
    await once(front.server, "listening");
    const { port } = front.server.address() as AddressInfo;
    for (const _ of [1, 2]) {
      const asked = Array.from({ length: 12 }, (_, n) => fetch(`http://127.0.0.1:${port}/v1/page?n=${n}`));
      const responses = await Promise.all(asked);
      const bodies = await Promise.all(responses.reverse().map((response) => response.text()));
      expect(bodies.reverse()).toEqual(bodies.map((_, n) => pageOf(n).take().join("")));
      expect(responses[0]?.headers.get("content-length")).toBe(String(pageOf(11).take().join("").length));
    }
  });
});
