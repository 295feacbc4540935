import { redirect } from "next/navigation";
import type { ListParams } from "@/app/dashboard/(staff)/listed";
import { reading } from "@/app/dashboard/(staff)/reading";
import { address, cursorOf, valuesOf } from "@/components/dashboard/address/address";
import { ExportLink } from "@/components/dashboard/address/export-link";
import { Pager } from "@/components/dashboard/address/pager";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { PageHead } from "@/components/dashboard/page-head";
import { auditFilters } from "@/components/dashboard/settings/audit-filters";
import { AuditTable } from "@/components/dashboard/settings/audit-table";
import { AuditViews, FIRST_VIEW } from "@/components/dashboard/settings/audit-views";
import { AUDIT, PROFILE } from "@/components/dashboard/settings/links";
import { SettingsTabs } from "@/components/dashboard/settings/tabs";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import { auditList } from "@/server/services/staff/lists/audit";

export const metadata = { title: "Audit" };

export default async function AuditTrail({ searchParams }: ListParams) {
  const { api, operator } = await staffPage();
  if (operator.role !== "admin") redirect(PROFILE);
  const params = await searchParams;
  const now = clock().now();
  const { view = [FIRST_VIEW], ...chosen } = queriedFilters(auditList, params, now);
  const [operators, applications, page] = await Promise.all([
    api.operators.list(),
    api.applications.names(),
    reading(api.audit.list({ ...chosen, view, after: cursorOf(params) } as ListInput)),
  ]);
  const filters = auditFilters({ view, operators, applications });
  const isFiltered = Object.values(chosen).some(Boolean);
  const whole = address(AUDIT, { view: valuesOf(params, "view") });
  const clear = <LinkButton href={whole}>Show all entries</LinkButton>;
  return (
    <>
      <PageHead
        title="Settings"
        actions={
          <>
            <ExportLink path={AUDIT} params={{ ...params, view }} />
            <AuditViews here={view} params={params} />
          </>
        }
      />
      <SettingsTabs here={AUDIT} role={operator.role} />
      <FilterBar path={AUDIT} params={params} search={auditList.search} filters={filters} />
      {page.fault !== undefined && (
        <ErrorState title="Invalid filters" action={clear}>
          {page.fault} Change or clear the filters.
        </ErrorState>
      )}
      {page.value?.items.length === 0 && (
        <EmptyState title={isFiltered ? "No matching entries" : "No entries yet"} action={isFiltered && clear}>
          Every operator action is recorded here with the ID of the object. Entries can’t be changed.
        </EmptyState>
      )}
      {page.value && page.value.items.length > 0 && <AuditTable rows={page.value.items} now={now} />}
      {page.value && <Pager path={AUDIT} params={params} next={page.value.next} />}
    </>
  );
}

type ListInput = Parameters<Awaited<ReturnType<typeof staffPage>>["api"]["audit"]["list"]>[0];
