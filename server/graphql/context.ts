import { getTRPCErrorFromUnknown } from "@trpc/server";
import { type Caller, isTold, refusalError } from "@/server/graphql/refusal-error";
import { invalid } from "@/server/services/refusal";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";

/** The most procedures that one operation calls. With pages of 100 this bounds its cost, however it is written. */
const MOST_CALLS = 30;

export interface GraphqlContext {
  /** Calls the staff's procedures, which check the role. */
  ask<Result>(call: (api: StaffCaller) => Promise<Result>): Promise<Result>;
  /** Turns rejections and internal failures into the field's error. */
  field<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** Creates what the resolvers of one operation share. */
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
