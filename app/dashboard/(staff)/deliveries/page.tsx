import { Suspense } from "react";
import { DeliveryListing } from "@/app/dashboard/(staff)/deliveries/listing";
import { deliveryOf, OpenDelivery } from "@/app/dashboard/(staff)/deliveries/open-delivery";
import { type ListParams, listed } from "@/app/dashboard/(staff)/listed";
import { reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { address, cursorOf, firstOf, type Params, valuesOf } from "@/components/dashboard/address/address";
import { ChannelStrip } from "@/components/dashboard/deliveries/channel-strip";
import { DeliveryChart, DeliveryChartSkeleton } from "@/components/dashboard/deliveries/delivery-chart";
import { DELIVERIES, deliveryFilterChips, deliveryFilters } from "@/components/dashboard/deliveries/filters";
import { ReplayAll } from "@/components/dashboard/deliveries/replay-all";
import { ReplayStrip } from "@/components/dashboard/deliveries/replay-strip";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { Deferred } from "@/components/dashboard/live/deferred";
import { PageHead } from "@/components/dashboard/page-head";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { LinkButton } from "@/components/ui/button";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

export const generateMetadata = listed("Deliveries", deliveryOf);

const search = { name: "q", label: "Search deliveries", placeholder: "ID, callback URL or email" };

/** Addresses that were kept still mean what they meant: the search had the name `id`, and what is pending was one state. */
function renamed({ id, ...params }: Params): Params {
  const states = valuesOf(params, "state").flatMap((state) => (state === "pending" ? ["queued", "retrying"] : [state]));
  return {
    ...params,
    ...(states.length > 0 && { state: [...new Set(states)] }),
    ...(id !== undefined && params.q === undefined && { q: id }),
  };
}

export default async function Deliveries({ searchParams }: ListParams) {
  const { api } = await staffPage();
  const params = renamed(await searchParams);
  const now = clock().now();
  const filters = deliveryFilters(params, now);
  const input = filters as CountInput;
  const counting = reading(api.deliveries.count(input));
  const applications = await api.applications.names();
  const open = firstOf(params, "open");
  const closed = address(DELIVERIES, params, { open: null });
  const isFirstPage = cursorOf(params) === undefined;
  return (
    <>
      <PageHead
        title="Deliveries"
        count={<Deferred of={counting.then(({ value }) => value && <Count {...value} />)} />}
        actions={
          <>
            {/* Left to the browser, which goes to the sign-in page where it would save that under `download`. */}
            <LinkButton
              look="quiet"
              href={address(`${DELIVERIES}/export`, params, { after: null, open: null })}
              target="_top"
            >
              Export CSV
            </LinkButton>
            <Deferred of={counting.then(({ value }) => value && <ReplayAll filters={filters} {...value} />)} />
          </>
        }
      />
      <FilterBar
        path={DELIVERIES}
        params={params}
        search={search}
        filters={deliveryFilterChips(applications.map(({ id, name }) => ({ value: id, label: name })))}
      />
      <Suspense>
        <Above api={api} channel={filters.channel} now={now} />
      </Suspense>
      {isFirstPage && (
        <Suspense fallback={<DeliveryChartSkeleton />}>
          <Chart api={api} params={params} input={input} zone={await shownZone()} />
        </Suspense>
      )}
      <Suspense fallback={<SkeletonRows />}>
        <DeliveryListing api={api} params={params} now={now} />
      </Suspense>
      {open && (
        <PanelFrame id={open} closeHref={closed} label={`Delivery ${open}`}>
          <Suspense key={open} fallback={<PanelSkeleton closeHref={closed} />}>
            <OpenDelivery api={api} id={open} params={params} now={now} />
          </Suspense>
        </PanelFrame>
      )}
    </>
  );
}

/** So long it still says how a bulk retry ended. */
const SHOWN_AFTER_MS = 60_000;

type CountInput = NonNullable<Parameters<StaffCaller["deliveries"]["count"]>[0]>;

async function Above({ api, channel, now }: { api: StaffCaller; channel?: string; now: number }) {
  const [health, replays] = await Promise.all([
    channel ? reading(api.channels.health({ id: channel })) : null,
    api.deliveries.replays.list(),
  ]);
  return (
    <>
      {health?.value && <ChannelStrip channel={health.value} now={now} />}
      {replays
        .filter(({ state, finishedAt }) => state === "running" || Date.parse(finishedAt ?? "") > now - SHOWN_AFTER_MS)
        .map((replay) => (
          <ReplayStrip key={replay.id} replay={replay} now={now} />
        ))}
    </>
  );
}

interface ChartProps {
  api: StaffCaller;
  params: Params;
  input: CountInput;
  zone: string;
}

/** Of the same deliveries as the list; of too long a time there is none. */
async function Chart({ api, params, input, zone }: ChartProps) {
  const { value } = await reading(api.deliveries.chart(input));
  const isEmpty = value?.bars.every(({ at: _, ...counts }) => Object.values(counts).every((count) => count === 0));
  return value && !isEmpty ? <DeliveryChart {...value} params={params} zone={zone} /> : null;
}
