import { Bookings } from "@/components/dashboard/accounts/bookings";
import { Calendars } from "@/components/dashboard/accounts/calendars";
import { Channels } from "@/components/dashboard/accounts/channels";
import { FailedWrites } from "@/components/dashboard/accounts/failed-writes";
import { LiveAccount } from "@/components/dashboard/accounts/live-account";
import { Profiles } from "@/components/dashboard/accounts/profiles";
import { RevokeAccount } from "@/components/dashboard/accounts/revoke-account";
import { accountName, accountState, kindWords } from "@/components/dashboard/accounts/words";
import { calendarsPath, narrowed, timelinePath, WHY } from "@/components/dashboard/address/paths";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Panel } from "@/components/dashboard/panel/panel";
import { Tag } from "@/components/ui/chip";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { FullTime } from "@/components/ui/time";
import type { AccountDetail } from "@/server/services/staff/accounts/shapes";

interface AccountPanelProps {
  /** The page's address without the panel. */
  closeHref: string;
  account: AccountDetail;
  isAdmin: boolean;
  /** Almanac's address for browsers. */
  appUrl: string;
  now: number;
}

/** Shows an account: whether its calendars are connected and read, and what was not delivered. */
export function AccountPanel({ closeHref, account, isAdmin, appUrl, now }: AccountPanelProps) {
  const { tone, word } = accountState(account);
  const { profiles, calendars, channels, failedWrites, waitingWrites } = account;
  const open = channels.filter(({ closedAt }) => closedAt === null).length;
  const kept = calendars.filter(({ deleted }) => !deleted).length;
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
        isAdmin &&
        account.revokedAt === null && (
          <RevokeAccount
            id={account.id}
            name={accountName(account)}
            isHosted={account.kind === "application_calendar"}
            calendars={kept}
            openChannels={open}
          />
        )
      }
    >
      <LiveAccount id={account.id} seen={account} />
      <div className="px-6 py-4 max-sm:px-4">
        <AccountFacts account={account} now={now} />
      </div>
      <Section title="Profiles" aside={formatCount(profiles.length)}>
        <Profiles profiles={profiles} applicationName={account.applicationName} appUrl={appUrl} now={now} />
      </Section>
      <Section title="Failed writes" aside={`${formatCount(waitingWrites)} pending`}>
        <FailedWrites writes={failedWrites} profiles={profiles} now={now} />
      </Section>
      <Section
        title="Calendars"
        aside={
          <>
            {formatCount(kept)} <span>· </span>
            <DetailLink href={calendarsPath(account.id)}>Events and syncs</DetailLink>
          </>
        }
      >
        <Calendars calendars={calendars} profiles={profiles} now={now} />
      </Section>
      <Section title="Bookings" aside={formatCount(account.bookings.length)}>
        <Bookings bookings={account.bookings} accountId={account.id} now={now} />
      </Section>
      <Section title="Channels" aside={`${formatCount(open)} open`}>
        <Channels channels={channels} now={now} />
      </Section>
    </Panel>
  );
}

function AccountFacts({ account, now }: { account: AccountDetail; now: number }) {
  const its = (page: string) => narrowed(`/dashboard/${page}`, "account", account.id);
  return (
    <Facts>
      <Fact name="ID">
        <Id id={account.id} isWhole />
      </Fact>
      <Fact name="Application">
        <DetailLink href={applicationPath(account.applicationId)}>{account.applicationName}</DetailLink>
      </Fact>
      {account.name && <Fact name="Name">{account.name}</Fact>}
      {account.email && <Fact name="Email">{account.email}</Fact>}
      <Fact name="Time zone">{account.defaultTzid}</Fact>
      <Fact name="Activity">
        <DetailLink href={its("deliveries")}>Deliveries</DetailLink> <span className="text-faint">· </span>
        <DetailLink href={its("requests")}>Requests</DetailLink> <span className="text-faint">· </span>
        <DetailLink href={timelinePath(account.id)}>{WHY}</DetailLink>
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
