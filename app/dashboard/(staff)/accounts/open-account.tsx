import { reading } from "@/app/dashboard/(staff)/reading";
import { AccountPanel } from "@/components/dashboard/accounts/account-panel";
import { Panel } from "@/components/dashboard/panel/panel";
import { EmptyState } from "@/components/ui/notice";
import { env } from "@/server/env";
import type { StaffCaller } from "@/server/services/staff/api";

interface OpenAccountProps {
  api: StaffCaller;
  id: string;
  isAdmin: boolean;
  /** The address without it. */
  closeHref: string;
  now: number;
}

export async function OpenAccount({ api, id, isAdmin, closeHref, now }: OpenAccountProps) {
  const found = await reading(api.accounts.get({ id }));
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
