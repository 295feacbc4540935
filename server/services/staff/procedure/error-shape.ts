import type { TRPCError } from "@trpc/server";
import { fieldName, type Issue } from "@/server/domain/issues";
import { type Reason, reasonOf } from "@/server/services/refusal";
import { fieldLabel } from "@/server/services/staff/procedure/field-label";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

/**
 * A failed call as a page sees it: a sentence to show, and the refusal itself. Never a stack, nor the details of a
 * fault on our side.
 */
export interface StaffError {
  code: number;
  message: string;
  data: { path: string | null; refusal: Reason | null; requestId: string | null };
}

interface FailedCall {
  shape: { code: number };
  error: TRPCError;
  path: string | undefined;
  ctx: StaffContext | undefined;
}

export function errorShape({ shape, error, path, ctx }: FailedCall): StaffError {
  const refusal = reasonOf(error.cause);
  const requestId = ctx?.requestId ?? null;
  const isOurs = error.code === "INTERNAL_SERVER_ERROR";
  const message = refusal ? sentenceOf(refusal) : isOurs ? failure(requestId) : error.message;
  return { code: shape.code, message, data: { path: path ?? null, refusal, requestId } };
}

/** Writes a refusal as a sentence for staff. */
export function sentenceOf(reason: Reason): string {
  switch (reason.kind) {
    case "invalid":
      return reason.issues.map((issue) => sentence(labelledText(issue))).join(" ");
    case "signed_out":
      return "You’re signed out. Sign in again.";
    case "wrong_credentials":
      return "Incorrect client ID or client secret.";
    case "read_only":
      return "This is read-only.";
    case "forbidden":
    case "conflict":
    case "not_offered":
      return sentence(reason.text);
    case "taken":
      return "This time isn’t free.";
    case "unreachable":
      return "The calendar’s provider can’t be reached right now.";
    case "not_found":
      return "Nothing was found with this ID.";
    case "changed":
      return "This was changed in the meantime.";
    case "unknown_channel":
    case "oauth":
      return sentence(reason.description);
    case "throttled":
      return `Too many attempts. Try again in ${reason.retryAfter} s.`;
    case "overloaded":
      return `Almanac is busy right now. Try again in ${reason.retryAfter} s.`;
    case "maintenance":
      return "Almanac is in maintenance. Try again later.";
    case "client_left":
      return "The connection was closed before Almanac got to the request.";
    default:
      return reason satisfies never;
  }
}

/** Writes the issue with the field's label in place of its name, with which the description begins. */
function labelledText({ path, description }: Issue): string {
  const name = fieldName(path);
  return description.startsWith(`${name} `) ? fieldLabel(path) + description.slice(name.length) : description;
}

function failure(requestId: string | null): string {
  return `An internal error occurred.${requestId ? ` Request ID: ${requestId}` : ""}`;
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
