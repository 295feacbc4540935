import { getTRPCErrorFromUnknown } from "@trpc/server";
import { type Caller, isTold, refusalError } from "@/server/graphql/refusal-error";
import { invalid } from "@/server/services/refusal";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";

/** One operation calls so many procedures at most: with pages of 100 that is all it can cost, however it is written. */
const MOST_CALLS = 30;

export interface GraphqlContext {
  /** Calls the staff's procedures, which check the role. */
  ask<Result>(call: (api: StaffCaller) => Promise<Result>): Promise<Result>;
  /** What is refused and what fails within becomes the field's error. */
  field<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** What the resolvers of one operation share. */
export function graphqlContext(caller: Caller): GraphqlContext {
  const api = staffCaller(caller.staff);
  let calls = 0;
  const field: GraphqlContext["field"] = async (run) => {
    try {
      return await run();
    } catch (error) {
      throw isTold(error) ? error : refusalError(getTRPCErrorFromUnknown(error), caller);
    }
  };
  return {
    field,
    ask: (call) =>
      field(async () => {
        calls += 1;
        if (calls > MOST_CALLS) throw tooMuch();
        return await call(api);
      }),
  };
}

function tooMuch() {
  const description = `one operation may ask for ${MOST_CALLS} lists, counts and things by their id at most`;
  return invalid({ path: [], key: "errors.invalid", description });
}
