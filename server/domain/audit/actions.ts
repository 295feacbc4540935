/** The parts of the audit trail: what staff changed, what they looked at, and who signed in. */
export const auditViews = ["changes", "reads", "sign_ins"] as const;
export type AuditView = (typeof auditViews)[number];

/** Every action of the audit trail, by the view that lists it. No other can be recorded. */
export const auditActions = {
  "account.revoked": "changes",
  "alerts.changed": "changes",
  "alerts.tested": "changes",
  "application.changed": "changes",
  "application.created": "changes",
  "application.deleted": "changes",
  "application.disabled": "changes",
  "application.enabled": "changes",
  "audit.exported": "reads",
  "branding.changed": "changes",
  "caldav_server.added": "changes",
  "caldav_server.removed": "changes",
  "channel.closed": "changes",
  "channel.paused": "changes",
  "channel.resumed": "changes",
  "channel.tested": "changes",
  "deliveries.exported": "reads",
  "delivery.cancelled": "changes",
  "delivery.retried": "changes",
  "delivery.viewed": "reads",
  "endpoint.viewed": "reads",
  "events.text_viewed": "reads",
  "feed.ended": "changes",
  "invitation.accepted": "changes",
  "invitation.created": "changes",
  "invitation.revoked": "changes",
  "logo.changed": "changes",
  "logo.removed": "changes",
  "member.added": "changes",
  "member.removed": "changes",
  "note.added": "changes",
  "note.deleted": "changes",
  "operator.created": "changes",
  "operator.disabled": "changes",
  "operator.enabled": "changes",
  "operator.password_reset": "changes",
  "operator.role_changed": "changes",
  "operator.second_factor_reset": "changes",
  "organization.added": "changes",
  "organization.key_replaced": "changes",
  "organization.reach_changed": "changes",
  "organization.removed": "changes",
  "organization.verified": "changes",
  "password.changed": "changes",
  "password.proven": "sign_ins",
  "password.refused": "sign_ins",
  "password.tried": "sign_ins",
  "profile.synced": "changes",
  "redirect_uri.added": "changes",
  "redirect_uri.removed": "changes",
  "replay.cancelled": "changes",
  "replay.started": "changes",
  "request.viewed": "reads",
  "requests.exported": "reads",
  "second_factor.proven": "sign_ins",
  "second_factor.refused": "sign_ins",
  "second_factor.removed": "changes",
  "second_factor.set_up": "changes",
  "second_factor.tried": "sign_ins",
  "secret.added": "changes",
  "secret.retired": "changes",
  "session.ended": "sign_ins",
  "session.others_ended": "sign_ins",
  "sign_in.failed": "sign_ins",
  "sign_in.second_step": "sign_ins",
  "sign_in.succeeded": "sign_ins",
  signed_out: "sign_ins",
  "write.retried": "changes",
} as const satisfies Record<string, AuditView>;

export type AuditAction = keyof typeof auditActions;

export const auditActionNames = Object.keys(auditActions) as AuditAction[];

/** Lists the actions of some views; those of all if there are none. */
export function actionsIn(views: readonly AuditView[]): AuditAction[] {
  return auditActionNames.filter((action) => views.length === 0 || views.includes(auditActions[action]));
}
