import { reading } from "@/app/dashboard/(staff)/reading";
import { Panel } from "@/components/dashboard/panel/panel";
import { REQUESTS_KEPT } from "@/components/dashboard/requests/kept";
import { RequestPanel } from "@/components/dashboard/requests/request-panel";
import { EmptyState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

interface OpenRequestProps {
  api: StaffCaller;
  id: string;
  /** The address without it. */
  closeHref: string;
  now: number;
}

export async function OpenRequest({ api, id, closeHref, now }: OpenRequestProps) {
  const found = await reading(api.requests.get({ id }));
  if (found.value) return <RequestPanel closeHref={closeHref} request={found.value} now={now} />;
  return (
    <Panel closeHref={closeHref} title={id}>
      <EmptyState title="Request not found">
        {found.fault} {REQUESTS_KEPT}
      </EmptyState>
    </Panel>
  );
}
