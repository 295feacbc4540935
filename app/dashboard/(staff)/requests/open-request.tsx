import { reading } from "@/app/dashboard/(staff)/reading";
import { address, type Params } from "@/components/dashboard/address/address";
import { Panel } from "@/components/dashboard/panel/panel";
import { REQUESTS } from "@/components/dashboard/requests/filters";
import { REQUESTS_KEPT } from "@/components/dashboard/requests/kept";
import { RequestPanel } from "@/components/dashboard/requests/request-panel";
import { EmptyState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

interface OpenRequestProps {
  api: StaffCaller;
  id: string;
  params: Params;
  now: number;
}

export async function OpenRequest({ api, id, params, now }: OpenRequestProps) {
  const found = await reading(api.requests.get({ id }));
  if (found.value) return <RequestPanel request={found.value} params={params} now={now} />;
  return (
    <Panel closeHref={address(REQUESTS, params, { open: null })} title={id}>
      <EmptyState title="Request not found">
        {found.fault} {REQUESTS_KEPT}
      </EmptyState>
    </Panel>
  );
}
