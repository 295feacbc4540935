import { describe, expect, it } from "vitest";
import { googleVerdicts } from "@/server/domain/provider-responses/google";
import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import {
  decidingRow,
  type RefusedRequest,
  type RequestKind,
  requestKinds,
  type VerdictRow,
  verdictOf,
} from "@/server/domain/provider-responses/verdicts";

const tables = { Google: googleVerdicts, Microsoft: microsoftVerdicts };
const writes: readonly RequestKind[] = ["create_event", "change_event", "delete_event"];
const watches: readonly RequestKind[] = ["open_watch", "renew_watch", "stop_watch"];
const tries = [{}, { isRenewed: true }, { isProven: true }, { isRenewed: true, isProven: true }];

/** A response for each word and status that a row names. */
function samplesOf({ requests, statuses, words }: VerdictRow): RefusedRequest[] {
  const said = words === null ? [[]] : words === "own" ? [["SomethingElse"]] : words.map((word) => [word]);
  const numbers = (statuses ?? [400, 403, 404, 409, 500, 503]).map((one) =>
    one === "4xx" ? 400 : one === "5xx" ? 502 : one,
  );
  return requests.flatMap((request) => numbers.flatMap((status) => said.map((words) => ({ request, status, words }))));
}

describe.each(Object.entries(tables))("the table of %s", (_, rows) => {
  it.each(rows.map((row) => [row.verdict, row.words, row] as const))("reaches the row %s of %j", (_, __, row) => {
    const samples = samplesOf(row).flatMap((sample) => tries.map((more) => ({ ...sample, ...more })));
    const isReached = samples.some((sample) => decidingRow(rows, sample) === row);
    expect(isReached).toBe(true);
  });

  it.each([200, 302, 400, 401, 403, 404, 405, 409, 410, 413, 422, 500, 502, 503])(
    "takes nothing from a response with %i that is not the provider's",
    (status) => {
      for (const request of requestKinds)
        for (const more of tries) {
          const verdict = verdictOf(rows, { request, status, words: [], ...more });
          const isNewToken = status === 410 && request === "list_event_changes";
          expect([request, verdict]).toEqual([request, isNewToken ? "read_all" : "retry"]);
        }
    },
  );

  it.each([400, 401, 403, 404, 409, 410, 412])("never disconnects for a watch (%i)", (status) => {
    const words = rows.flatMap((row) => (Array.isArray(row.words) ? row.words : ["SomethingElse"]));
    for (const request of watches)
      for (const word of words)
        for (const more of tries)
          expect(verdictOf(rows, { request, status, words: [word], ...more })).not.toBe("reconnect");
  });

  it("undoes a write for no word of a passing fault, whatever the status", () => {
    const passing = rows.filter(
      ({ verdict, words }) =>
        Array.isArray(words) &&
        ["retry", "no_mailbox", "misconfigured", "wait_mailbox", "wait_service"].includes(verdict),
    );
    for (const row of passing.filter(({ requests }) => requests.includes("create_event")))
      for (const word of row.words ?? [])
        for (const status of [400, 403, 404, 409, 410, 412, 500, 503])
          for (const request of writes)
            expect([word, verdictOf(rows, { request, status, words: [word] })]).not.toContain("undo");
  });

  it.each([400, 403, 409, 499, 500, 504])("undoes a write for no fault that Google says is passing (%i)", (status) => {
    for (const word of ["UNAVAILABLE", "ABORTED", "CANCELLED", "DEADLINE_EXCEEDED", "UNKNOWN"])
      for (const request of writes)
        expect([word, verdictOf(googleVerdicts, { request, status, words: [word] })]).toEqual([word, "retry"]);
  });

  it.each(["AADSTS90012", "AADSTS90055"])("disconnects nobody for a moment of the sign-in service (%s)", (number) => {
    const refused = { request: "renew_access", status: 400, isProven: true } as const;
    expect(verdictOf(microsoftVerdicts, { ...refused, words: ["invalid_grant", number] })).toBe("retry");
  });

  it("knows words in any case", () => {
    const [row] = rows.filter(({ verdict }) => verdict === "exists");
    const [word = ""] = row?.words ?? [];
    expect(verdictOf(rows, { request: "create_event", status: 400, words: [word.toUpperCase()] })).toBe("exists");
  });
});
