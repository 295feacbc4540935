import { ACCOUNTS } from "@/components/dashboard/accounts/filters";
import { accountName, accountState, kindWords } from "@/components/dashboard/accounts/words";
import { calendarsPath, timelinePath, WHY } from "@/components/dashboard/address/account-paths";
import { narrowed } from "@/components/dashboard/address/narrowed";
import { PageHead } from "@/components/dashboard/page-head";
import { TabLinks } from "@/components/dashboard/tab-links";
import { LinkButton } from "@/components/ui/button";
import { Tag } from "@/components/ui/chip";
import { State } from "@/components/ui/state";
import type { AccountRow } from "@/server/services/staff/accounts/shapes";

/** What stands above each page of an account. */
export function AccountHead({ account, here }: { account: AccountRow; here: "timeline" | "calendars" }) {
  const { tone, word } = accountState(account);
  const paths = { timeline: timelinePath(account.id), calendars: calendarsPath(account.id) };
  return (
    <>
      <PageHead
        title={<span className="wrap-anywhere">{accountName(account)}</span>}
        count={
          <span className="flex flex-wrap items-center gap-2 text-13">
            <State tone={tone}>{word}</State>
            <Tag>{kindWords[account.kind]}</Tag>
            <span className="wrap-anywhere">{account.applicationName}</span>
          </span>
        }
        actions={<LinkButton href={narrowed(ACCOUNTS, "open", account.id)}>Open account</LinkButton>}
      />
      <TabLinks
        label="Account"
        tabs={[
          { name: WHY, path: paths.timeline },
          { name: "Calendars", path: paths.calendars },
        ]}
        here={paths[here]}
      />
    </>
  );
}
