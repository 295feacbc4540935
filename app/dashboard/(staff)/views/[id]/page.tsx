import { redirect } from "next/navigation";
import { cache } from "react";
import { viewHref } from "@/components/dashboard/views/view-query";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notice";
import { staffPage } from "@/server/http/staff/page";
import { pageIsMissing } from "@/server/http/staff/page-response";

interface ViewParams {
  params: Promise<{ id: string }>;
}

/** Cached, because the page and its status both need it. */
const viewOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return (await api.views.list()).find((view) => view.id === id);
});

export async function generateMetadata({ params }: ViewParams) {
  if (!(await viewOf((await params).id))) pageIsMissing();
  return { title: "View not found" };
}

/** Leads to the list of a saved view, with the filters that the list still knows. */
export default async function View({ params }: ViewParams) {
  const view = await viewOf((await params).id);
  if (view) redirect(viewHref(view));
  return (
    <EmptyState isPage title="View not found" action={<LinkButton href="/dashboard">Go to the overview</LinkButton>}>
      Saved views belong to one operator. It may be someone else’s, or was deleted.
    </EmptyState>
  );
}
