"use client";

import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { staffClient } from "@/components/dashboard/staff-client";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { InvitationRow } from "@/server/services/staff/invitations/list";

interface PendingInvitationsProps {
  invitations: readonly InvitationRow[];
  /** Whether to show the applications of each. */
  hasApplications?: boolean;
  now: number;
}

/** Lists invitations that nobody has accepted yet. */
export function PendingInvitations({ invitations, hasApplications = false, now }: PendingInvitationsProps) {
  return (
    <Lines>
      {invitations.map((invitation) => (
        <Line key={invitation.id} actions={<Revoke invitation={invitation} />}>
          <span>{invitation.email}</span>
          {hasApplications && <span className="text-12 text-faint">{namesOf(invitation)}</span>}
          <Aside>
            <State tone="wait">Invited</State>
            <span>
              sent <Time at={invitation.createdAt} now={now} />
            </span>
            <span>
              expires <Time at={invitation.expiresAt} now={now} />
            </span>
          </Aside>
        </Line>
      ))}
    </Lines>
  );
}

function namesOf({ applications }: InvitationRow): string {
  return applications.map(({ name }) => name).join(", ") || "No applications";
}

function Revoke({ invitation: { id, email } }: { invitation: InvitationRow }) {
  return (
    <ConfirmedAction
      label="Revoke"
      name={`Revoke the invitation for ${email}`}
      look="quiet"
      isDanger
      verb="Revoke"
      title={`Revoke the invitation for ${email}?`}
      text="The link stops working immediately. You can invite them again."
      announcement="Invitation revoked"
      work={() => staffClient.invitations.revoke.mutate({ id })}
    />
  );
}
