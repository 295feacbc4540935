import { describe, expect, it } from "vitest";
import { bulkBytes } from "@/server/http/admission/slots";

describe("what a response has beyond an ordinary one", () => {
  it("is nothing of a page of a hundred usual events", () => {
    const event = { summary: "Stand-up", description: "Agenda: …".repeat(100), event_id: "a".repeat(40) };
    expect(bulkBytes(JSON.stringify(Array.from({ length: 100 }, () => event)).length)).toBe(0);
  });

  it("is counted twice", () => {
    expect(bulkBytes(1_000_000)).toBe(2 * (1_000_000 - 200_000));
  });
});
