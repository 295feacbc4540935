import { cache } from "react";
import { ofPage, reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { ReplayStrip } from "@/components/dashboard/deliveries/replay-strip";
import { shownReplays } from "@/components/dashboard/deliveries/replay-words";
import { TroubleNotice } from "@/components/dashboard/deliveries/trouble-notice";
import { EndpointActions } from "@/components/dashboard/endpoints/endpoint-actions";
import { EndpointChart } from "@/components/dashboard/endpoints/endpoint-chart";
import { EndpointDeliveries } from "@/components/dashboard/endpoints/endpoint-deliveries";
import { EndpointFacts } from "@/components/dashboard/endpoints/endpoint-facts";
import { EndpointFigures } from "@/components/dashboard/endpoints/endpoint-figures";
import { EndpointState } from "@/components/dashboard/endpoints/endpoint-state";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { PageHead } from "@/components/dashboard/page-head";
import { Section } from "@/components/ui/facts";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

interface EndpointParams {
  params: Promise<{ id: string }>;
  searchParams: Promise<Params>;
}

/** Cached, because the page and its title both need it. */
const endpointOf = cache(async (id: string, isWeek: boolean) => {
  const { api } = await staffPage();
  return await reading(api.endpoints.get({ id, hours: isWeek ? 168 : 24 }));
});

async function asked({ params, searchParams }: EndpointParams) {
  const { id } = await params;
  const isWeek = firstOf(await searchParams, "range") === "7d";
  return { id, isWeek, found: await endpointOf(id, isWeek) };
}

export async function generateMetadata(props: EndpointParams) {
  const { found } = await asked(props);
  return { title: ofPage(found)?.endpoint ?? "Endpoint not found" };
}

export default async function Endpoint(props: EndpointParams) {
  const { api } = await staffPage();
  const { id, isWeek, found } = await asked(props);
  const [replays, { value: trouble }, zone] = await Promise.all([
    api.deliveries.replays.list(),
    reading(api.deliveries.trouble({ channel: id })),
    shownZone(),
  ]);
  const endpoint = found.value;
  const now = clock().now();
  if (!endpoint) return <MissingThing thing="endpoint" />;
  const shown = shownReplays(replays, now).filter(({ filters }) => filters.channel === id);
  const isRetrying = shown.some(({ state }) => state === "running");
  return (
    <>
      <PageHead
        title={<span className="font-mono text-16 wrap-anywhere">{endpoint.endpoint}</span>}
        actions={<EndpointActions endpoint={endpoint} isRetrying={isRetrying} now={now} />}
      />
      <EndpointState endpoint={endpoint} now={now} />
      {trouble?.reason === "disconnected" && <TroubleNotice trouble={trouble} now={now} />}
      {shown.map((replay) => (
        <ReplayStrip key={replay.id} replay={replay} now={now} />
      ))}
      <EndpointFigures endpoint={endpoint} now={now} />
      <EndpointChart id={id} bars={endpoint.bars} isWeek={isWeek} zone={zone} />
      <Section title="Details" level={2}>
        <EndpointFacts endpoint={endpoint} now={now} />
      </Section>
      <EndpointDeliveries endpoint={endpoint} now={now} />
    </>
  );
}
