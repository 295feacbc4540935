import type { Role } from "@/server/services/staff/staff-context";

export const roleWords: Record<Role, string> = { admin: "Admin", support: "Support" };

export const roleHint =
  "Support can view, retry and sync. Admins can also register and edit applications, revoke accounts and manage operators.";

/** What an entry of the audit trail says of an action. */
const actionWords: Record<string, string> = {
  "account.revoked": "Revoked account",
  "application.changed": "Updated application",
  "application.created": "Registered application",
  "deliveries.exported": "Exported deliveries",
  "delivery.cancelled": "Cancelled retry",
  "delivery.retried": "Retried delivery",
  "delivery.viewed": "Viewed delivery",
  "operator.created": "Added operator",
  "operator.disabled": "Disabled operator",
  "operator.enabled": "Enabled operator",
  "operator.password_reset": "Reset password",
  "operator.role_changed": "Changed role",
  "password.changed": "Changed own password",
  "password.proven": "Confirmed password",
  "password.refused": "Entered wrong password",
  "password.tried": "Entered password",
  "profile.synced": "Started sync",
  "redirect_uri.added": "Added redirect URI",
  "redirect_uri.removed": "Removed redirect URI",
  "replay.cancelled": "Stopped bulk retry",
  "replay.started": "Started bulk retry",
  "request.viewed": "Viewed request",
  "requests.exported": "Exported requests",
  "secret.added": "Added client secret",
  "secret.retired": "Retired client secret",
  "session.ended": "Ended session",
  "sign_in.failed": "Failed sign-in",
  "sign_in.succeeded": "Signed in",
  signed_out: "Signed out",
  "write.retried": "Retried write",
};

export function actionWord(action: string): string {
  return actionWords[action] ?? action;
}

/** An entry's details as one text: `plan standard, calendarId cal_…`. */
export function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
