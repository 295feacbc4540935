import type pg from "pg";
import { expect, it } from "vitest";
import { prismaClients, type Send } from "@/server/db/lent-prisma";

/** A connection that notes what is sent. */
function connection(): { send: Send; sent: string[] } {
  const sent: string[] = [];
  const send: Send = async ({ text = "" }) => {
    sent.push(text);
    return { fields: [], rows: [], rowCount: 1, command: "DELETE", oid: 0 } satisfies pg.QueryResult;
  };
  return { send, sent };
}

it("a call goes to the connection of its transaction, also with a client that was lent before", async () => {
  const lend = prismaClients();
  const [one, another] = [connection(), connection()];
  const clients = new Set<unknown>();
  for (const { send } of [one, another]) {
    await lend(send, async (prisma) => {
      clients.add(prisma.linkToken);
      await prisma.linkToken.deleteMany({ where: { accountId: "acc_1" } });
    });
  }
  expect(clients.size).toBe(1);
  expect([one.sent.length, another.sent.length]).toEqual([1, 1]);
  expect(one.sent).toEqual(another.sent);
});

it("transactions at the same time have clients of their own", async () => {
  const lend = prismaClients();
  const { send } = connection();
  await lend(send, (outer) => lend(send, async (inner) => expect(inner.linkToken).not.toBe(outer.linkToken)));
});

it("a call that is under way when its transaction ends never reaches another", async () => {
  const lend = prismaClients();
  const [ended, next] = [connection(), connection()];
  let late: Promise<string> | undefined;
  const failing = lend(ended.send, async (prisma) => {
    late = prisma.linkToken.deleteMany({}).then(
      () => "sent",
      (error: Error) => error.message,
    );
    throw new Error("refused");
  });
  await expect(failing).rejects.toThrow("refused");
  const borrowing = lend(next.send, async ({ account }) => [typeof account, await late]);
  expect(await borrowing).toEqual(["object", expect.stringContaining("is over")]);
  expect([ended.sent, next.sent]).toEqual([[], []]);
});

it("a client that was kept for longer than its transaction makes no call", async () => {
  const { send, sent } = connection();
  const kept = await prismaClients()(send, async (prisma) => ({ prisma }));
  expect(() => kept.prisma.linkToken).toThrow("is over");
  expect(sent).toEqual([]);
});
