import { expect, it } from "vitest";
import type { CurrentEvent, EventToWrite, StoreOutcome, Writing } from "@/server/providers/writing";
import { writeToProvider } from "@/server/sync/write-event";

const event = { externalId: "theirs", version: "1", state: {}, removedGuests: [] } as unknown as EventToWrite;
const note = async () => {};

/** A mailbox with one event, which a write is stored over so. */
function mailbox(store: CurrentEvent["store"]): Writing {
  const never = async () => {
    throw new Error("not asked for");
  };
  return { read: async () => ({ version: "2", store }), create: never, remove: never, reply: never };
}

const done = (version: string): StoreOutcome => ({ kind: "done", externalId: "theirs", version, state: null });

it("a write that needs one more request after each is a conflict in the end", async () => {
  let requests = 0;
  const again: CurrentEvent = {
    version: "2",
    store: async () => {
      requests += 1;
      return { kind: "again", current: again };
    },
  };
  await expect(writeToProvider(mailbox(again.store), event, note)).rejects.toMatchObject({
    fault: { kind: "conflict" },
  });
  expect(requests).toBe(15);
});

it.each([
  ["was passed over by a sync, and nothing was sent", true, "2", true],
  ["was passed over by a sync, and is listed again because of what was sent", true, "3", undefined],
  ["no sync has seen, and nothing was sent", false, "2", undefined],
])("the provider's version that %s", async (_, isRemoteChangeDeferred, version, isPassedOver) => {
  const stored = await writeToProvider(
    mailbox(async () => done(version)),
    { ...event, isRemoteChangeDeferred },
    note,
  );
  expect(stored).toEqual({ ...done(version), ...(isPassedOver && { isPassedOver }) });
});
