import { type AccountParams, titled } from "@/app/dashboard/(staff)/accounts/[id]/account";
import { reading } from "@/app/dashboard/(staff)/reading";
import { Notes } from "@/components/dashboard/account-page/notes/notes";
import { AccountOverview } from "@/components/dashboard/account-page/overview/account-overview";
import { RecentDeliveries } from "@/components/dashboard/account-page/overview/recent-deliveries";
import { clock } from "@/server/clock";
import { env } from "@/server/env";
import { staffPage } from "@/server/http/staff/page";

const RECENT = 5;

export const generateMetadata = titled();

export default async function Account({ params }: AccountParams) {
  const { api } = await staffPage();
  const { id } = await params;
  const [account, notes, pulse] = await Promise.all([
    reading(api.accounts.get({ id })),
    reading(api.accounts.notes.list({ accountId: id })),
    reading(api.deliveries.pulse({ account: id })),
  ]);
  if (!account.value || !notes.value) return null; // the layout says so
  const { items } = await api.deliveries.list({ account: id, limit: RECENT });
  const now = clock().now();
  return (
    <AccountOverview
      account={account.value}
      appUrl={env().APP_URL}
      now={now}
      notes={<Notes accountId={id} notes={notes.value} count={account.value.noteCount} now={now} />}
      recentDeliveries={<RecentDeliveries accountId={id} deliveries={items} pulse={pulse.value} now={now} />}
    />
  );
}
