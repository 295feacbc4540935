import { reading } from "@/app/dashboard/(staff)/reading";
import { address, type Params } from "@/components/dashboard/address/address";
import { ApplicationPanel } from "@/components/dashboard/applications/application-panel";
import { APPLICATIONS } from "@/components/dashboard/applications/words";
import { Panel } from "@/components/dashboard/panel/panel";
import { EmptyState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

interface OpenApplicationProps {
  api: StaffCaller;
  id: string;
  isAdmin: boolean;
  params: Params;
  now: number;
}

export async function OpenApplication({ api, id, isAdmin, params, now }: OpenApplicationProps) {
  const found = await reading(api.applications.get({ id }));
  if (found.value) return <ApplicationPanel application={found.value} isAdmin={isAdmin} params={params} now={now} />;
  return (
    <Panel closeHref={address(APPLICATIONS, params, { open: null })} title={id}>
      <EmptyState title="Application not found">{found.fault} Application IDs start with app_.</EmptyState>
    </Panel>
  );
}
