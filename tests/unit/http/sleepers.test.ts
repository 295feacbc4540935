import { describe, expect, it } from "vitest";
import { MOST_SLEEPERS, type Sleepers, sleepers } from "@/server/http/sleepers";
import { isRefusal } from "@/server/services/refusal";

const LONG_MS = 3_600_000;

/** Begins to sleep for an hour; gives what ends it, and how it ended. */
function asleep(among: Sleepers, applicationId: string, accountId: string) {
  const left = new AbortController();
  const end = among.sleep({ applicationId, accountId, signal: left.signal }, LONG_MS).catch((error: unknown) => {
    if (isRefusal(error)) return error.reason.kind;
    throw error;
  });
  return { end, leave: () => left.abort() };
}

describe("requests that sleep", () => {
  it("are so many of an account, of an application and of all; the next is refused at once", async () => {
    const among = sleepers();
    const begun: ReturnType<typeof asleep>[] = [];
    const fill = (applicationId: string, accountId: string, count: number) => {
      for (let i = 0; i < count; i += 1) begun.push(asleep(among, applicationId, accountId));
    };
    fill("a", "1", MOST_SLEEPERS.account);
    expect(await asleep(among, "a", "1").end).toBe(false);
    for (let i = 2; among.count() < MOST_SLEEPERS.application; i += 1) fill("a", `${i}`, MOST_SLEEPERS.account);
    expect(await asleep(among, "a", "another").end).toBe(false);
    for (let i = 0; among.count() < MOST_SLEEPERS.all; i += 1) fill(`b${i}`, `b${i}`, MOST_SLEEPERS.account);
    expect(await asleep(among, "c", "c").end).toBe(false);
    begun[0]?.leave();
    expect(await begun[0]?.end).toBe("client_left");
    begun[0] = asleep(among, "c", "c");
    expect(among.count()).toBe(MOST_SLEEPERS.all);
    for (const { leave } of begun) leave();
    await Promise.all(begun.map(({ end }) => end));
    expect(among.count()).toBe(0);
  });

  it("wake when their time is over", async () => {
    const among = sleepers();
    const { signal } = new AbortController();
    expect(await among.sleep({ applicationId: "a", accountId: "1", signal }, 1)).toBe(true);
    expect(among.count()).toBe(0);
  });

  it("do not begin when the client has left already", async () => {
    const among = sleepers();
    const one = { applicationId: "a", accountId: "1", signal: AbortSignal.abort() };
    await expect(among.sleep(one, LONG_MS)).rejects.toMatchObject({ reason: { kind: "client_left" } });
    expect(among.count()).toBe(0);
  });
});
