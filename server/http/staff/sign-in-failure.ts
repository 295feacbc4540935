import { REQUEST_ID_HEADER } from "@/server/http/exchange";
import { loggable } from "@/server/http/redaction/secrets";
import { causeOf } from "@/server/http/responses";
import { type Held, overloaded } from "@/server/http/staff/form-request";
import { log } from "@/server/log";

/** Gives what the page says of an error, and logs what nobody foresaw. */
export function note(request: Request, error: unknown): Held {
  const passing = overloaded(error);
  if (passing) return passing;
  const requestId = request.headers.get(REQUEST_ID_HEADER) ?? "";
  log({ module: "http" }).error({ requestId: loggable(requestId), err: causeOf(error) }, "a sign-in failed");
  return { notice: { kind: "failed", requestId }, status: 500 };
}
