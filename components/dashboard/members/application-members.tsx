import { InviteDeveloper } from "@/components/dashboard/members/invite-developer";
import { PendingInvitations } from "@/components/dashboard/members/pending-invitations";
import { RemoveMember } from "@/components/dashboard/members/remove-member";
import { Section } from "@/components/ui/facts";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { InvitationRow } from "@/server/services/staff/invitations/list";
import type { MemberRow } from "@/server/services/staff/members/list";

interface ApplicationMembersProps {
  application: { id: string; name: string };
  members: readonly MemberRow[];
  /** Null for those who may not invite. */
  invitations: readonly InvitationRow[] | null;
  now: number;
}

/** Lists the developers who see an application. */
export function ApplicationMembers({ application, members, invitations, now }: ApplicationMembersProps) {
  const { id, name } = application;
  return (
    <Section title="Developers" level={2} aside={formatCount(members.length)}>
      <p className="mb-3 text-13 text-faint">
        {members.length === 0
          ? "No developers yet. Developers can see and manage this application’s secrets, requests, deliveries, endpoints and accounts."
          : "They can see and manage this application’s secrets, requests, deliveries, endpoints and accounts."}
      </p>
      {invitations && (
        <div className="mb-3">
          <InviteDeveloper applications={[{ id, name }]} />
        </div>
      )}
      {members.length > 0 && (
        <Lines>
          {members.map((member) => (
            <Line
              key={member.id}
              actions={
                invitations && (
                  <RemoveMember
                    developer={{ id: member.id, name: member.name || member.email }}
                    application={application}
                    beside="developer"
                  />
                )
              }
            >
              <span>{member.name || member.email}</span>
              <Aside>
                {member.disabledAt && <State tone="off">Disabled</State>}
                <span>{member.email}</span>
                <span>
                  added <Time at={member.since} now={now} />
                </span>
              </Aside>
            </Line>
          ))}
        </Lines>
      )}
      {invitations && invitations.length > 0 && (
        <div className={members.length > 0 ? "mt-4" : undefined}>
          <PendingInvitations invitations={invitations} now={now} />
        </div>
      )}
    </Section>
  );
}
