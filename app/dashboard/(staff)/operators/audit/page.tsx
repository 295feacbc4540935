import { redirect } from "next/navigation";
import { reading } from "@/app/dashboard/(staff)/reading";
import { cursorOf, firstOf, type Params } from "@/components/dashboard/address/address";
import { Pager } from "@/components/dashboard/address/pager";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import type { Filter } from "@/components/dashboard/filters/spec";
import { AuditTable } from "@/components/dashboard/operators/audit-table";
import { AUDIT, ME } from "@/components/dashboard/operators/links";
import { OperatorTabs } from "@/components/dashboard/operators/tabs";
import { PageHead } from "@/components/dashboard/page-head";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Audit trail" };

const search = { name: "object", label: "Search the audit trail by ID", placeholder: "whd_, app_, acc_, opr_…" };

export default async function AuditTrail({ searchParams }: { searchParams: Promise<Params> }) {
  const { api, operator } = await staffPage();
  if (operator.role !== "admin") redirect(ME);
  const params = await searchParams;
  const narrowing = { object: firstOf(params, "object"), operatorId: firstOf(params, "operatorId") };
  const [operators, page] = await Promise.all([
    api.operators.list(),
    reading(api.audit.list({ ...narrowing, after: cursorOf(params) } as ListInput)),
  ]);
  const clear = <LinkButton href={AUDIT}>Show all entries</LinkButton>;
  const filter: Filter = {
    kind: "one",
    name: "operatorId",
    label: "Operator",
    options: operators.map(({ id, email }) => ({ value: id, label: email })),
  };
  return (
    <>
      <PageHead title="Audit trail" />
      <OperatorTabs here={AUDIT} role={operator.role} />
      <FilterBar path={AUDIT} params={params} search={search} filters={[filter]} />
      {page.fault !== undefined && (
        <ErrorState title="Invalid search" action={clear}>
          {page.fault}
        </ErrorState>
      )}
      {page.value?.items.length === 0 && (
        <EmptyState title="No matching entries" action={clear}>
          Every operator action is recorded here with the ID of the object. Entries can’t be changed.
        </EmptyState>
      )}
      {page.value && page.value.items.length > 0 && <AuditTable rows={page.value.items} now={clock().now()} />}
      {page.value && <Pager path={AUDIT} params={params} next={page.value.next} />}
    </>
  );
}

type ListInput = Parameters<Awaited<ReturnType<typeof staffPage>>["api"]["audit"]["list"]>[0];
