import { afterEach, describe, expect, it, vi } from "vitest";
import { AnswerTooLong, egressFetch, endedBy } from "@/server/egress/fetch";
import { closeEgress } from "@/server/egress/pool";
import { openReceiver, says } from "../../fakes/hostile-receiver";

afterEach(() => closeEgress());

async function fetchFrom(answer: string, { mostBytes = 100, deadlineMs = 2000, trusted = true } = {}) {
  const receiver = await openReceiver(says(answer));
  const fetch = egressFetch({ trustedOrigins: trusted ? [receiver.origin] : [], deadlineMs, mostBytes });
  const asked = fetch(`${receiver.origin}/a?b`, { method: "REPORT", headers: { depth: "1" }, body: "<x/>" });
  return { receiver, asked };
}

const ofLength = (bytes: number, body: string) =>
  `HTTP/1.1 207 Multi-Status\r\nContent-Length: ${bytes}\r\nX-A: 1\r\n\r\n${body}`;

describe("a fetch through egress", () => {
  it("sends any method and gives status, headers and the whole body", async () => {
    const { receiver, asked } = await fetchFrom(ofLength(100, "ä".repeat(50)));
    const response = await asked;
    expect([response.status, response.headers.get("x-a"), await response.text()]).toEqual([207, "1", "ä".repeat(50)]);
    const [first, ...rest] = receiver.seen.text.split("\r\n");
    expect(first).toBe("REPORT /a?b HTTP/1.1");
    expect(rest).toEqual(expect.arrayContaining(["depth: 1", "<x/>"]));
  });

  it("gives redirects as they are, and answers without a body", async () => {
    const { asked } = await fetchFrom(
      "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
    );
    expect((await asked).headers.get("location")).toBe("http://127.0.0.1:1/");
    const empty = await fetchFrom('HTTP/1.1 204 No Content\r\nETag: "1"\r\n\r\n');
    expect(await (await empty.asked).text()).toBe("");
  });

  it("throws when there are more bytes than its limit, when fewer came than promised, and when they come too slowly", async () => {
    await expect((await fetchFrom(ofLength(101, "a".repeat(101)))).asked).rejects.toThrow(AnswerTooLong);
    const broken = await openReceiver((socket) => void socket.end(ofLength(50, "half")));
    const fetch = egressFetch({ trustedOrigins: [broken.origin], deadlineMs: 2000, mostBytes: 100 });
    await expect(fetch(broken.origin, { method: "GET", headers: {} })).rejects.toMatchObject({ errorClass: "reset" });
    const slow = await fetchFrom("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", {
      deadlineMs: 300,
    });
    await expect(slow.asked).rejects.toMatchObject({ errorClass: "timeout" });
  });

  it("ends with its signal, and closes its connection", async () => {
    const silent = await openReceiver(() => {});
    const over = new AbortController();
    const limits = { trustedOrigins: [silent.origin], deadlineMs: 30_000, mostBytes: 100 };
    const fetch = endedBy(egressFetch(limits), over.signal);
    const asked = fetch(silent.origin, { method: "GET", headers: {} });
    asked.catch(() => {});
    await vi.waitFor(() => expect(silent.seen.text).not.toBe(""));
    over.abort();
    await expect(asked).rejects.toMatchObject({ errorClass: "timeout" });
    await vi.waitFor(() => expect(silent.sockets.size).toBe(0));
    await expect(fetch(silent.origin, { method: "GET", headers: {} })).rejects.toMatchObject({ errorClass: "timeout" });
    expect(silent.seen.connections).toBe(1);
  });

  it("sends nothing to an origin that nobody configured and that is not public https", async () => {
    const { receiver, asked } = await fetchFrom(ofLength(1, "a"), { trusted: false });
    await expect(asked).rejects.toMatchObject({ errorClass: "blocked" });
    expect(receiver.seen.connections).toBe(0);
  });
});
