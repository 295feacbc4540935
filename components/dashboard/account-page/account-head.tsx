import { CopySummary } from "@/components/dashboard/account-page/copy-summary";
import { RevokeAccount } from "@/components/dashboard/accounts/revoke-account";
import {
  accountName,
  accountState,
  kindWords,
  profileState,
  providerWord,
} from "@/components/dashboard/accounts/words";
import { accountPath } from "@/components/dashboard/address/paths";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { PageHead } from "@/components/dashboard/page-head";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { PathTabs } from "@/components/dashboard/path-tabs";
import { Tag } from "@/components/ui/chip";
import { counted } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import type { AccountProfile, AccountHead as Head } from "@/server/services/staff/accounts/shapes";

const tabs = [
  { name: "Overview", tab: "" },
  { name: "Timeline", tab: "timeline" },
  { name: "Calendars", tab: "calendars" },
  { name: "Deliveries", tab: "deliveries" },
  { name: "Requests", tab: "requests" },
] as const;

interface AccountHeadProps {
  account: Head;
  isAdmin: boolean;
  /** Almanac's address for browsers. */
  appUrl: string;
}

/** Shows the head of each page of an account: what it is, the state of each profile, what can be done, and the tabs. */
export function AccountHead({ account, isAdmin, appUrl }: AccountHeadProps) {
  const { id, kind, applicationId, applicationName, noteCount, profiles, revokedAt } = account;
  const { tone, word } = accountState(account);
  return (
    <>
      <PageHead
        title={<span className="wrap-anywhere">{accountName(account)}</span>}
        count={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
            {profiles.length !== 1 && <State tone={tone}>{word}</State>}
            <Tag>{kindWords[kind]}</Tag>
            <DetailLink href={applicationPath(applicationId)}>{applicationName}</DetailLink>
          </span>
        }
        actions={
          <>
            <CopySummary id={id} pageUrl={appUrl + accountPath(id)} />
            {isAdmin && revokedAt === null && (
              <RevokeAccount
                id={id}
                name={accountName(account)}
                isHosted={kind === "application_calendar"}
                calendars={account.calendarCount}
                openChannels={account.openChannels}
              />
            )}
          </>
        }
      />
      <ProfileStates profiles={profiles} />
      <PathTabs
        label="Account"
        tabs={tabs.map(({ name, tab }) => ({
          ...{ name, path: accountPath(id, tab) },
          ...(tab === "" && noteCount > 0 && { aside: counted(noteCount, "note") }),
        }))}
      />
    </>
  );
}

function ProfileStates({ profiles }: { profiles: readonly AccountProfile[] }) {
  if (profiles.length === 0) return null;
  return (
    <ul aria-label="Profile states" className="flex flex-wrap gap-x-6 gap-y-1 px-6 pb-2 text-13 max-sm:px-4">
      {profiles.map((profile) => {
        const { tone, word } = profileState(profile);
        return (
          <li key={profile.id} className="flex min-w-0 flex-wrap items-center gap-x-2">
            <State tone={tone}>{word}</State>
            <span className="min-w-0 text-faint wrap-anywhere">
              {providerWord(profile)}
              {profiles.length > 1 && ` · ${profile.name}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
