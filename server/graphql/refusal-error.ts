import type { TRPCError } from "@trpc/server";
import { createGraphQLError } from "graphql-yoga";
import { log } from "@/server/log";
import { longestWait, type Reason } from "@/server/services/refusal";
import { errorShape } from "@/server/services/staff/procedure/error-shape";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

export interface Caller {
  staff: StaffContext;
  /** The request's id as it may appear in the log: a caller's own may be anything. */
  loggedId: string;
  /** Records a rejection while the operation ran. */
  note(reason: Reason): void;
}

/**
 * Converts an error of a field for the client: a rejection's sentence and code, or for a failure of ours only its id in
 * the log.
 */
export function refusalError(error: TRPCError, { staff, loggedId, note }: Caller): Error {
  const { message, data } = errorShape({ shape: { code: 0 }, error, path: undefined, ctx: staff });
  if (!data.refusal) {
    log({ module: "graphql" }).error({ requestId: loggedId, err: error.cause ?? error }, "a field failed");
  }
  if (data.refusal) note(data.refusal);
  const code = data.refusal ? refusalCode(data.refusal) : "INTERNAL_SERVER_ERROR";
  const wait = data.refusal && longestWait([data.refusal]);
  return createGraphQLError(message, { extensions: { code, ...(wait !== null && { retryAfter: wait }) } });
}

/** Reports whether an error was created here, and went through a field inside another. */
export function isTold(error: unknown): boolean {
  return error instanceof Error && error.name === "GraphQLError";
}

export function refusalCode({ kind }: Pick<Reason, "kind">): string {
  switch (kind) {
    case "signed_out":
    case "wrong_credentials":
      return "UNAUTHENTICATED";
    case "forbidden":
    case "read_only":
    case "not_offered":
      return "FORBIDDEN";
    case "not_found":
    case "unknown_channel":
      return "NOT_FOUND";
    case "conflict":
    case "taken":
    case "changed":
      return "CONFLICT";
    case "throttled":
      return "THROTTLED";
    case "overloaded":
    case "unreachable":
    case "maintenance":
    case "client_left":
      return "OVERLOADED";
    case "invalid":
    case "oauth":
      return "BAD_USER_INPUT";
    default:
      return kind satisfies never;
  }
}
