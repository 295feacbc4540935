import { cache, Suspense } from "react";
import { EndpointDeliveries } from "@/app/dashboard/(staff)/endpoints/[id]/deliveries";
import { ofPage, reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { EndpointActions } from "@/components/dashboard/endpoints/endpoint-actions";
import { EndpointChart } from "@/components/dashboard/endpoints/endpoint-chart";
import { EndpointFacts } from "@/components/dashboard/endpoints/endpoint-facts";
import { EndpointFigures } from "@/components/dashboard/endpoints/endpoint-figures";
import { EndpointState } from "@/components/dashboard/endpoints/endpoint-state";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { PageHead } from "@/components/dashboard/page-head";
import { Section } from "@/components/ui/facts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

interface EndpointParams {
  params: Promise<{ id: string }>;
  searchParams: Promise<Params>;
}

/** Cached, because the page and its title both need it. */
const endpointOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.endpoints.get({ id }));
});

export async function generateMetadata({ params }: EndpointParams) {
  const endpoint = ofPage(await endpointOf((await params).id));
  return { title: endpoint?.endpoint ?? "Endpoint not found" };
}

export default async function Endpoint({ params, searchParams }: EndpointParams) {
  const { api } = await staffPage();
  const { id } = await params;
  const isWeek = firstOf(await searchParams, "range") === "7d";
  const { value: endpoint } = await endpointOf(id);
  const now = clock().now();
  if (!endpoint) return <MissingThing thing="endpoint" />;
  return (
    <>
      <PageHead
        title={<span className="font-mono text-16 wrap-anywhere">{endpoint.endpoint}</span>}
        actions={<EndpointActions endpoint={endpoint} now={now} />}
      />
      <EndpointState endpoint={endpoint} now={now} />
      <EndpointFigures endpoint={endpoint} now={now} />
      <Suspense fallback={<SkeletonRows />}>
        <Chart api={api} id={id} isWeek={isWeek} />
      </Suspense>
      <Section title="Details" level={2}>
        <EndpointFacts endpoint={endpoint} now={now} />
      </Section>
      <Suspense fallback={<SkeletonRows />}>
        <EndpointDeliveries api={api} id={id} now={now} />
      </Suspense>
    </>
  );
}

async function Chart({ api, id, isWeek }: { api: StaffCaller; id: string; isWeek: boolean }) {
  const { value } = await reading(api.endpoints.chart({ id, hours: isWeek ? 168 : 24 }));
  return value ? <EndpointChart id={id} bars={value.bars} isWeek={isWeek} zone={await shownZone()} /> : null;
}
