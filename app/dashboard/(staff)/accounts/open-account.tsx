import { cache } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { AccountPanel } from "@/components/dashboard/accounts/account-panel";
import { Panel } from "@/components/dashboard/panel/panel";
import { EmptyState } from "@/components/ui/notice";
import { staffPage } from "@/server/http/staff/page";

/** Cached, because the panel, the page's status and the layout of an account's pages need it. */
export const accountOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.accounts.head({ id }));
});

interface OpenAccountProps {
  id: string;
  /** The page's address without the panel. */
  closeHref: string;
  now: number;
}

export async function OpenAccount({ id, closeHref, now }: OpenAccountProps) {
  const found = await accountOf(id);
  if (found.value) return <AccountPanel closeHref={closeHref} account={found.value} now={now} />;
  return (
    <Panel closeHref={closeHref} title={id}>
      <EmptyState title="Account not found">{found.fault} Account IDs start with acc_ or apc_.</EmptyState>
    </Panel>
  );
}
