import { roleWords } from "@/components/dashboard/role-words";
import type { AuditAction, AuditView } from "@/server/domain/audit/actions";

export const roleHint =
  "Support can view, retry and sync, and pause or close endpoints. Admins can also register and edit applications, revoke accounts and manage operators.";

export const developerHint =
  "Developers can access only their own applications. They manage their secrets, redirect URIs and webhooks.";

/** The words for each action in the audit trail. */
const actionWords: Record<AuditAction, string> = {
  "account.revoked": "Revoked account",
  "alerts.changed": "Changed alerts",
  "alerts.tested": "Sent test alert",
  "application.changed": "Updated application",
  "application.created": "Registered application",
  "application.deleted": "Deleted application",
  "maintenance.started": "Started maintenance",
  "maintenance.ended": "Ended maintenance",
  "application.disabled": "Disabled application",
  "application.enabled": "Enabled application",
  "audit.exported": "Exported audit trail",
  "deliveries.exported": "Exported deliveries",
  "channel.closed": "Closed endpoint",
  "channel.paused": "Paused endpoint",
  "channel.resumed": "Resumed endpoint",
  "channel.tested": "Sent test event",
  "branding.changed": "Updated branding",
  "logo.changed": "Changed logo",
  "logo.removed": "Removed logo",
  "caldav_server.added": "Added CalDAV server",
  "caldav_server.removed": "Removed CalDAV server",
  "oauth_client.set": "Set OAuth client",
  "oauth_client.removed": "Removed OAuth client",
  "delivery.cancelled": "Canceled retry",
  "delivery.retried": "Retried delivery",
  "delivery.viewed": "Viewed delivery",
  "endpoint.viewed": "Viewed endpoint",
  "events.text_viewed": "Viewed event text",
  "invitation.accepted": "Accepted invitation",
  "invitation.created": "Invited developer",
  "invitation.revoked": "Revoked invitation",
  "member.added": "Added developer",
  "member.removed": "Removed developer",
  "note.added": "Added note",
  "note.deleted": "Deleted note",
  "operator.created": "Added operator",
  "operator.disabled": "Disabled operator",
  "operator.enabled": "Enabled operator",
  "operator.password_reset": "Reset password",
  "operator.role_changed": "Changed role",
  "operator.second_factor_reset": "Reset two-step verification",
  "password.changed": "Changed own password",
  "organization.added": "Added organization",
  "organization.key_replaced": "Replaced organization’s key",
  "organization.reach_changed": "Changed organization’s domains",
  "organization.removed": "Removed organization",
  "organization.verified": "Verified organization",
  "password.proven": "Re-authenticated",
  "password.refused": "Re-authentication failed",
  "password.tried": "Re-authentication started",
  "profile.synced": "Started sync",
  "feed.ended": "Ended calendar feed",
  "redirect_uri.added": "Added redirect URI",
  "redirect_uri.removed": "Removed redirect URI",
  "replay.cancelled": "Stopped bulk retry",
  "replay.started": "Started bulk retry",
  "request.viewed": "Viewed request",
  "requests.exported": "Exported requests",
  "second_factor.proven": "Confirmed sign-in code",
  "second_factor.refused": "Entered wrong sign-in code",
  "second_factor.removed": "Removed own two-step verification",
  "second_factor.set_up": "Set up two-step verification",
  "second_factor.tried": "Entered sign-in code",
  "secret.added": "Added client secret",
  "secret.retired": "Retired client secret",
  "session.ended": "Ended session",
  "session.others_ended": "Ended other sessions",
  "sign_in.failed": "Failed sign-in",
  "sign_in.second_step": "Entered correct password, code pending",
  "sign_in.succeeded": "Signed in",
  signed_out: "Signed out",
  "write.retried": "Retried write",
};

export function actionWord(action: string): string {
  return Object.hasOwn(actionWords, action) ? actionWords[action as AuditAction] : action;
}

export const viewWords: Record<AuditView, string> = { changes: "Changes", reads: "Reads", sign_ins: "Sign-ins" };

const valueWords: Record<string, string> = {
  ...roleWords,
  app: "authenticator app",
  cancelled: "canceled",
  disabled: "operator disabled",
  recovery_code: "recovery code",
  sign_ins: "sign-ins",
  single_sign_on: "single sign-on",
  unknown_email: "unknown email",
  unverified_email: "email not verified",
  wrong_password: "wrong password",
};

/** Details that need no name. */
const bare = new Set(["way", "secondFactor", "reason", "email", "role", "uri"]);

const nameWords: Record<string, string> = {
  accent: "color",
  privacyUrl: "privacy link",
  supportUrl: "support link",
  applicationId: "application",
  calendarId: "calendar",
  clientId: "client ID",
  errorClass: "error",
  errorKey: "error",
  id: "ID",
  noteId: "note",
  operatorId: "operator",
  profileId: "profile",
  q: "search",
  redirectUris: "redirect URIs",
  statusClass: "response",
  url: "URL",
  callbackUrl: "callback URL",
  webhookUrl: "webhook URL",
};

/** Formats an entry's details as one text: `Password, wrong password`, `Plan standard, compatibility mode off`. */
export function detailText(detail: Record<string, unknown>): string {
  const text = detailWords(detail);
  return text.replace(/^[a-z]+(?=[ ,]|$)/, (word) => word[0]?.toUpperCase() + word.slice(1));
}

function detailWords(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => wordsOf(name, value))
    .filter((words) => words !== "")
    .join(", ");
}

function wordsOf(name: string, value: unknown): string {
  switch (name) {
    case "compatibilityMode":
      return `compatibility mode ${value ? "on" : "off"}`;
    case "editForeignEvents":
      return `changing others’ events ${value ? "on" : "off"}`;
    case "mcpWrites":
      return `AI assistants writing ${value ? "on" : "off"}`;
    case "plan":
      return value === "developer" ? "Developer plan" : `${value} plan`;
    case "publicClient":
      return `public client ${value ? "on" : "off"}`;
    case "connectSuccessPage":
      return `confirming connected calendars ${value ? "on" : "off"}`;
    case "filters":
      return detailWords(value as Record<string, unknown>);
    case "late":
      return "over 30 seconds late";
    case "retried":
      return `${value} retried`;
    case "sessions":
      return `${value} ${value === 1 ? "session" : "sessions"} ended`;
    case "state":
      return typeof value === "string" ? `was ${valueText(value)}` : `state ${valueText(value)}`;
    case "days":
      return `expires after ${value} days`;
    case "total":
      return `${value} ${value === 1 ? "delivery" : "deliveries"}`;
    case "wasRefused":
      return value ? "rejected by the provider" : "";
    default:
      if (bare.has(name)) return valueText(value);
      return valueText(value) && `${nameWords[name] ?? name} ${valueText(value)}`;
  }
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(" or ");
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return valueWords[value] ?? value;
}
