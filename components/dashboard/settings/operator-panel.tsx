import { address, type Params } from "@/components/dashboard/address/address";
import { OperatorApplications } from "@/components/dashboard/members/operator-applications";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Panel } from "@/components/dashboard/panel/panel";
import { roleWords } from "@/components/dashboard/role-words";
import { auditOf, TEAM } from "@/components/dashboard/settings/links";
import { OperatorActions } from "@/components/dashboard/settings/operator-actions";
import { Sessions } from "@/components/dashboard/settings/sessions";
import { Tag } from "@/components/ui/chip";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { FullTime } from "@/components/ui/time";
import type { OperatorRow } from "@/server/services/staff/operators/list";
import type { SessionRow } from "@/server/services/staff/sessions/list";

interface OperatorPanelProps {
  operator: OperatorRow;
  sessions: readonly SessionRow[];
  /** All applications. */
  applications: readonly { id: string; name: string }[];
  params: Params;
  now: number;
}

/** Shows an operator: their permissions, and where they are signed in. */
export function OperatorPanel({ operator, sessions, applications, params, now }: OperatorPanelProps) {
  const { id, name, email, role, disabledAt, hasPassword, hasSecondFactor } = operator;
  const isMe = sessions.some(({ isCurrent }) => isCurrent);
  return (
    <Panel
      closeHref={address(TEAM, params, { open: null })}
      title={name || email}
      under={
        <>
          <State tone={disabledAt ? "off" : "good"}>{disabledAt ? "Disabled" : "Active"}</State>
          <Tag>{roleWords[role]}</Tag>
        </>
      }
      actions={
        <OperatorActions
          operator={{ id, name: name || email, role, isDisabled: disabledAt !== null, hasSecondFactor, isMe }}
        />
      }
    >
      <div className="px-6 py-4 max-sm:px-4">
        <Facts>
          <Fact name="Email">{email}</Fact>
          <Fact name="ID">
            <Id id={id} isWhole />
          </Fact>
          <Fact name="Sign-in">{hasPassword ? "Password" : "Single sign-on only"}</Fact>
          {hasPassword && <Fact name="Two-step verification">{hasSecondFactor ? "On" : "Off"}</Fact>}
          <Fact name="Added">
            <FullTime at={operator.createdAt} now={now} />
          </Fact>
          {disabledAt && (
            <Fact name="Disabled">
              <FullTime at={disabledAt} now={now} />
            </Fact>
          )}
          <Fact name="Audit trail">
            <DetailLink href={auditOf("operatorId", id)}>Actions by this operator</DetailLink>{" "}
            <span className="text-faint">· </span>
            <DetailLink href={auditOf("object", id)}>Changes to this operator</DetailLink>
          </Fact>
        </Facts>
      </div>
      {role === "developer" && (
        <Section title="Applications" aside={formatCount(operator.applications.length)}>
          <OperatorApplications
            developer={{ id, name: name || email }}
            applications={operator.applications}
            all={applications}
          />
        </Section>
      )}
      <Section title="Sessions" aside="kept for 30 days after they end">
        <Sessions sessions={sessions} now={now} />
      </Section>
    </Panel>
  );
}
