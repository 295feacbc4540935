import { TRPCError } from "@trpc/server";
import { expect, it } from "vitest";
import { type Caller, refusalError } from "@/server/graphql/refusal-error";
import { type Reason, Refusal } from "@/server/services/refusal";

it("a field that waits for its turn too long says for how many seconds to wait, and so does the response", () => {
  const reasons: Reason[] = [];
  const staff = { requestId: "req_1" } as Caller["staff"];
  const caller: Caller = { staff, loggedId: "req_1", note: (reason) => void reasons.push(reason) };
  const cause = new Refusal({ kind: "overloaded", retryAfter: 7 });
  const error = refusalError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }), caller);
  expect(error).toMatchObject({ extensions: { code: "OVERLOADED", retryAfter: 7 } });
  expect(reasons).toEqual([{ kind: "overloaded", retryAfter: 7 }]);
});
