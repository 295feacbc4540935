import { REQUEST_ID_HEADER } from "@/server/http/exchange";
import { logFailure } from "@/server/http/log-failure";
import { type Held, overloaded } from "@/server/http/staff/form-request";

/** Gives what the page says of an error, and logs what nobody foresaw. */
export function note(request: Request, error: unknown): Held {
  const passing = overloaded(error);
  if (passing) return passing;
  const requestId = request.headers.get(REQUEST_ID_HEADER) ?? "";
  logFailure(error, "a sign-in failed", requestId);
  return { notice: { kind: "failed", requestId }, status: 500 };
}
