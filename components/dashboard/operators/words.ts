import type { Role } from "@/server/services/staff/trpc";

export const roleWords: Record<Role, string> = { admin: "Admin", support: "Support" };

export const roleHint = "Support reads, retries and syncs. Admins also register, change and revoke, and add operators.";

/** What an entry of the audit trail says was done. */
const deedWords: Record<string, string> = {
  "account.revoked": "revoked the account",
  "application.changed": "changed the application",
  "application.created": "registered the application",
  "deliveries.exported": "exported a list of deliveries",
  "delivery.cancelled": "cancelled the delivery",
  "delivery.retried": "retried the delivery",
  "delivery.viewed": "read the delivery",
  "operator.created": "added the operator",
  "operator.disabled": "disabled the operator",
  "operator.enabled": "enabled the operator",
  "operator.password_reset": "reset the operator’s password",
  "operator.role_changed": "changed the operator’s role",
  "password.changed": "changed their password",
  "password.refused": "entered a wrong password",
  "password.proven": "confirmed their password",
  "password.tried": "entered their password",
  "profile.synced": "synced a profile",
  "redirect_uri.added": "added a redirect URI",
  "redirect_uri.removed": "removed a redirect URI",
  "replay.cancelled": "stopped a retry of many",
  "replay.started": "retried many deliveries",
  "request.viewed": "read the request",
  "requests.exported": "exported a list of requests",
  "secret.added": "added a client secret",
  "secret.retired": "retired a client secret",
  "session.ended": "ended a session",
  "sign_in.failed": "failed to sign in",
  "sign_in.succeeded": "signed in",
  signed_out: "signed out",
  "write.retried": "retried a provider write",
};

export function deedWord(action: string): string {
  return deedWords[action] ?? action;
}

/** An entry's details as one text: `plan standard, calendarId cal_…`. */
export function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
