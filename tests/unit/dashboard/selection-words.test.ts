import { expect, it } from "vitest";
import { outcomeWords } from "@/components/dashboard/selection/outcome-words";

it("what came of an action on many rows is how many it was done to, and why others were skipped", () => {
  expect(outcomeWords("Retrying 3 deliveries", [])).toBe("Retrying 3 deliveries.");
  const closed = "The channel is closed. Nothing more will be sent.";
  const busy = "An attempt is in progress. Try again when it ends.";
  expect(outcomeWords("Retrying 1 delivery", [closed, busy, closed])).toBe(
    `Retrying 1 delivery. 2 skipped: ${closed} 1 skipped: ${busy}`,
  );
});
