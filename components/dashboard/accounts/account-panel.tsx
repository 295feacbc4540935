import { LivePeek } from "@/components/dashboard/accounts/live-account";
import { ProfileSummaries } from "@/components/dashboard/accounts/profile-summaries";
import { accountName, accountState, kindWords } from "@/components/dashboard/accounts/words";
import { accountPath, calendarsPath, timelinePath, WHY } from "@/components/dashboard/address/paths";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Panel } from "@/components/dashboard/panel/panel";
import { LinkButton } from "@/components/ui/button";
import { Tag } from "@/components/ui/chip";
import { classes } from "@/components/ui/classes";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { FullTime } from "@/components/ui/time";
import type { AccountHead } from "@/server/services/staff/accounts/shapes";

interface AccountPanelProps {
  /** The page's address without the panel. */
  closeHref: string;
  account: AccountHead;
  now: number;
}

/** Peeks at an account: whether its calendars are connected and read, and the way to all of it. */
export function AccountPanel({ closeHref, account, now }: AccountPanelProps) {
  const { tone, word } = accountState(account);
  return (
    <Panel
      closeHref={closeHref}
      title={accountName(account)}
      under={
        <>
          <State tone={tone}>{word}</State>
          <Tag>{kindWords[account.kind]}</Tag>
        </>
      }
      actions={
        <LinkButton look="primary" href={accountPath(account.id)}>
          Open account
        </LinkButton>
      }
    >
      <LivePeek id={account.id} seen={account} />
      <div className="px-6 py-4 max-sm:px-4">
        <AccountFacts account={account} now={now} />
      </div>
      <Section title="Profiles" aside={formatCount(account.profiles.length)}>
        <ProfileSummaries profiles={account.profiles} now={now} />
      </Section>
    </Panel>
  );
}

function AccountFacts({ account, now }: { account: AccountHead; now: number }) {
  const { id, refusedCount, waitingWrites } = account;
  return (
    <Facts>
      <Fact name="ID">
        <Id id={id} isWhole />
      </Fact>
      <Fact name="Application">
        <DetailLink href={applicationPath(account.applicationId)}>{account.applicationName}</DetailLink>
      </Fact>
      {account.name && <Fact name="Name">{account.name}</Fact>}
      {account.email && <Fact name="Email">{account.email}</Fact>}
      <Fact name="Writes">
        <span className={classes(refusedCount > 0 && "text-red")}>{formatCount(refusedCount)} rejected</span>
        <span className="text-faint"> · {formatCount(waitingWrites)} pending</span>
      </Fact>
      <Fact name="Calendars">
        <DetailLink href={calendarsPath(id)}>{formatCount(account.calendarCount)}</DetailLink>
      </Fact>
      <Fact name="Channels">{formatCount(account.openChannels)} open</Fact>
      <Fact name="Notes">{formatCount(account.noteCount)}</Fact>
      <Fact name="Activity">
        <DetailLink href={accountPath(id, "deliveries")}>Deliveries</DetailLink> <span className="text-faint">· </span>
        <DetailLink href={accountPath(id, "requests")}>Requests</DetailLink> <span className="text-faint">· </span>
        <DetailLink href={timelinePath(id)}>{WHY}</DetailLink>
      </Fact>
      <Fact name="Created">
        <FullTime at={account.createdAt} now={now} />
      </Fact>
      {account.revokedAt && (
        <Fact name="Revoked">
          <FullTime at={account.revokedAt} now={now} />
        </Fact>
      )}
    </Facts>
  );
}
