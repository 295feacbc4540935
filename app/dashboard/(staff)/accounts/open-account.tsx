import { reading } from "@/app/dashboard/(staff)/reading";
import { AccountPanel } from "@/components/dashboard/accounts/account-panel";
import { ACCOUNTS } from "@/components/dashboard/accounts/filters";
import { address, type Params } from "@/components/dashboard/address/address";
import { Panel } from "@/components/dashboard/panel/panel";
import { EmptyState } from "@/components/ui/notice";
import { env } from "@/server/env";
import type { StaffCaller } from "@/server/services/staff/api";

interface OpenAccountProps {
  api: StaffCaller;
  id: string;
  isAdmin: boolean;
  params: Params;
  now: number;
}

export async function OpenAccount({ api, id, isAdmin, params, now }: OpenAccountProps) {
  const found = await reading(api.accounts.get({ id }));
  if (found.value) {
    const { APP_URL } = env();
    return <AccountPanel account={found.value} isAdmin={isAdmin} params={params} appUrl={APP_URL} now={now} />;
  }
  return (
    <Panel closeHref={address(ACCOUNTS, params, { open: null })} title={id}>
      <EmptyState title="Account not found">{found.fault} Account IDs start with acc_ or apc_.</EmptyState>
    </Panel>
  );
}
