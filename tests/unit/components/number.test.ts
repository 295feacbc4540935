import { expect, it } from "vitest";
import { counted } from "@/components/ui/number";

it.each([
  [0, "0 mailboxes"],
  [1, "1 mailbox"],
  [12_345, "12,345 mailboxes"],
])("%d of a thing is counted with its number", (count, text) => {
  expect(counted(count, "mailbox", "mailboxes")).toBe(text);
});
