import { redirect } from "next/navigation";
import { Suspense } from "react";
import { OpenOperator } from "@/app/dashboard/(staff)/operators/open-operator";
import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { AddOperator } from "@/components/dashboard/operators/add-operator";
import { ME, OPERATORS } from "@/components/dashboard/operators/links";
import { OperatorTable } from "@/components/dashboard/operators/operator-table";
import { OperatorTabs } from "@/components/dashboard/operators/tabs";
import { PageHead } from "@/components/dashboard/page-head";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { Count } from "@/components/ui/number";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Operators" };

export default async function Operators({ searchParams }: { searchParams: Promise<Params> }) {
  const { api, operator } = await staffPage();
  if (operator.role !== "admin") redirect(ME);
  const params = await searchParams;
  const now = clock().now();
  const rows = await api.operators.list();
  const open = firstOf(params, "open");
  const closed = address(OPERATORS, params, { open: null });
  return (
    <>
      <PageHead title="Operators" count={<Count count={rows.length} />} actions={<AddOperator />} />
      <OperatorTabs here={OPERATORS} role={operator.role} />
      <OperatorTable rows={rows} params={params} now={now} />
      {open && (
        <PanelFrame id={open} closeHref={closed} label={`Operator ${open}`}>
          <Suspense key={open} fallback={<PanelSkeleton closeHref={closed} />}>
            <OpenOperator api={api} id={open} operator={rows.find(({ id }) => id === open)} params={params} now={now} />
          </Suspense>
        </PanelFrame>
      )}
    </>
  );
}
