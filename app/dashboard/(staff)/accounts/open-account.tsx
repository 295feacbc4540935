import { cache } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { AccountPanel } from "@/components/dashboard/accounts/account-panel";
import { Panel } from "@/components/dashboard/panel/panel";
import { EmptyState } from "@/components/ui/notice";
import { env } from "@/server/env";
import { staffPage } from "@/server/http/staff/page";

/** Cached, because the panel and the page's status both need it. */
export const accountOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.accounts.get({ id }));
});

interface OpenAccountProps {
  id: string;
  isAdmin: boolean;
  /** The page's address without the panel. */
  closeHref: string;
  now: number;
}

export async function OpenAccount({ id, isAdmin, closeHref, now }: OpenAccountProps) {
  const found = await accountOf(id);
  if (found.value) {
    const { APP_URL } = env();
    return <AccountPanel closeHref={closeHref} account={found.value} isAdmin={isAdmin} appUrl={APP_URL} now={now} />;
  }
  return (
    <Panel closeHref={closeHref} title={id}>
      <EmptyState title="Account not found">{found.fault} Account IDs start with acc_ or apc_.</EmptyState>
    </Panel>
  );
}
