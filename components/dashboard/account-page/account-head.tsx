import { accountName, accountState, kindWords } from "@/components/dashboard/accounts/words";
import { calendarsPath, narrowed, timelinePath, WHY } from "@/components/dashboard/address/paths";
import { PageHead } from "@/components/dashboard/page-head";
import { TabLinks } from "@/components/dashboard/tab-links";
import { LinkButton } from "@/components/ui/button";
import { Tag } from "@/components/ui/chip";
import { State } from "@/components/ui/state";
import { type AccountRow, accountList } from "@/server/services/staff/lists/accounts";

/** Shows the head of each page of an account. */
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
        actions={<LinkButton href={narrowed(accountList.path, "open", account.id)}>Open account</LinkButton>}
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
