import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { largeDocument } from "@/server/providers/caldav/large-document";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Which of them are being read, in their order. */
function opened(...names: string[]) {
  const reading: string[] = [];
  const leave = new Map<string, () => void>();
  for (const name of names) {
    void largeDocument().then((left) => {
      reading.push(name);
      leave.set(name, left);
    });
  }
  return { reading, end: (name: string) => leave.get(name)?.() };
}

it("large documents are read one after another, in their order", async () => {
  const { reading, end } = opened("first", "second", "third");
  await vi.advanceTimersByTimeAsync(0);
  expect(reading).toEqual(["first"]);
  end("first");
  await vi.advanceTimersByTimeAsync(0);
  expect(reading).toEqual(["first", "second"]);
  end("second");
  await vi.advanceTimersByTimeAsync(0);
  end("third");
  expect(reading).toEqual(["first", "second", "third"]);
});

it("one whose server sends it slowly holds nobody up", async () => {
  const { reading, end } = opened("trickles", "second", "third");
  await vi.advanceTimersByTimeAsync(4_999);
  expect(reading).toEqual(["trickles"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reading).toEqual(["trickles", "second"]);
  end("trickles");
  await vi.advanceTimersByTimeAsync(0);
  expect(reading).toEqual(["trickles", "second"]);
  end("second");
  await vi.advanceTimersByTimeAsync(0);
  end("third");
  expect(reading).toEqual(["trickles", "second", "third"]);
});
