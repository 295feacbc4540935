import { cache } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { Panel } from "@/components/dashboard/panel/panel";
import { RequestPanel } from "@/components/dashboard/requests/request-panel";
import { REQUESTS_KEPT } from "@/components/dashboard/requests/words";
import { EmptyState } from "@/components/ui/notice";
import { staffPage } from "@/server/http/staff/page";

/** Cached, because the panel and the page's status both need it. */
export const requestOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.requests.get({ id }));
});

interface OpenRequestProps {
  id: string;
  /** The page's address without the panel. */
  closeHref: string;
  now: number;
}

export async function OpenRequest({ id, closeHref, now }: OpenRequestProps) {
  const found = await requestOf(id);
  if (found.value) return <RequestPanel closeHref={closeHref} request={found.value} now={now} />;
  return (
    <Panel closeHref={closeHref} title={id}>
      <EmptyState title="Request not found">
        {found.fault} {REQUESTS_KEPT}
      </EmptyState>
    </Panel>
  );
}
