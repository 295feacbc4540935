import { describe, expect, it } from "vitest";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { type Meaning, meaningOf, namesEmail } from "@/server/services/staff/lists/meaning";

const HEX = "0123456789abcdef01234567";
const UUID = "0f6f2f36-0000-4000-8000-00000000000a";
const nothing = { prefix: null, isWholeId: false, isLogId: false, email: null, mayBeRequest: false, isAddress: false };
const whole = { isWholeId: true, mayBeRequest: true };

const cases: [string, Partial<Meaning>][] = [
  // Whole IDs mean nothing else.
  ...(["whd", "chn", "acc", "apc", "pro", "cal", "app", "req"] as const).map((prefix): [string, Partial<Meaning>] => [
    `${prefix}_${HEX}`,
    { prefix, ...whole },
  ]),
  // An application may call an event of its own like one of ours, and no list has events or operators.
  [`evt_${HEX}`, { prefix: "evt", mayBeRequest: true }],
  [`opr_${HEX}`, { prefix: "opr", mayBeRequest: true }],
  // What looks like an ID may be an application's name for a calendar.
  ["cal_main", { prefix: "cal", mayBeRequest: true }],
  ["acc_1", { prefix: "acc" }],
  ["acc_", {}],
  [`acc_${HEX.toUpperCase()}`, { prefix: "acc", mayBeRequest: true }],
  [`xyz_${HEX}`, { mayBeRequest: true }],
  // An email never looks like an ID.
  [`apc_${HEX}@localhost`, { email: "whole", isAddress: true }],
  ["anna@acme.io", { email: "whole", isAddress: true }],
  ["anna@", { email: "begun", isAddress: true }],
  ["@acme.io", { email: "begun", isAddress: true }],
  // URLs, hosts and paths.
  ["https://hooks.acme.io/cal?for=a@b.io", { isAddress: true }],
  ["hooks.acme.io", { isAddress: true, mayBeRequest: true }],
  ["/calendar", { isAddress: true }],
  // The log's IDs, and those that callers give.
  [UUID, { isLogId: true, mayBeRequest: true }],
  [UUID.toUpperCase(), { isLogId: true, mayBeRequest: true }],
  ["my-own-request-7", { mayBeRequest: true }],
  ["my.request.7", { isAddress: true, mayBeRequest: true }],
  [`client_${HEX}`, { mayBeRequest: true }],
  // Words.
  ["acme", {}],
  ["Room 9", {}],
  ["100%_", {}],
];

describe("a typed text", () => {
  it.each(cases)("%s means what the table says", (text, expected) => {
    expect(meaningOf(text)).toEqual({ text, ...nothing, ...expected });
  });

  it("that is an email, or begins one, is no endpoint", () => {
    const none = { begins: [], liesBelow: [], parts: [], paths: [] };
    expect(patternsOf(meaningOf("anna@"))).toEqual(none);
    expect(patternsOf(meaningOf("anna@acme.io"))).toEqual(none);
    expect(patternsOf(meaningOf("https://hooks.acme.io/cal?for=a@b.io")).begins).toEqual(["hooks.acme.io/cal%"]);
    expect(patternsOf(meaningOf("/in_box")).paths).toEqual(["/in\\_box%"]);
  });

  it("names an account by its email if it has an @", () => {
    expect(namesEmail("anna@acme.io")).toBe(true);
    expect(namesEmail(`acc_${HEX}`)).toBe(false);
  });
});
