import { REQUEST_ID_HEADER } from "@/server/http/exchange";
import { loggable } from "@/server/http/redact-secrets";
import { causeOf } from "@/server/http/responses";
import type { Notice } from "@/server/http/staff/sign-in-view";
import { log } from "@/server/log";

/** Logs what nobody foresaw, and gives what the page says of it. */
export function note(request: Request, error: unknown): { notice: Notice; status: number } {
  const requestId = request.headers.get(REQUEST_ID_HEADER) ?? "";
  log({ module: "http" }).error({ requestId: loggable(requestId), err: causeOf(error) }, "a sign-in failed");
  return { notice: { kind: "failed", requestId }, status: 500 };
}
