import { Suspense } from "react";
import { OpenDelivery } from "@/app/dashboard/(staff)/deliveries/open-delivery";
import { reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import type { Listing, ListView } from "@/app/dashboard/(staff)/staff-list";
import { cursorOf, firstOf } from "@/components/dashboard/address/address";
import { ExportLink } from "@/components/dashboard/address/export-link";
import { absenceWords } from "@/components/dashboard/deliveries/absence-words";
import { ChannelStrip } from "@/components/dashboard/deliveries/channel-strip";
import { DeliveryChart, DeliveryChartSkeleton } from "@/components/dashboard/deliveries/delivery-chart";
import { DeliveryTable } from "@/components/dashboard/deliveries/delivery-table";
import { LiveDeliveries } from "@/components/dashboard/deliveries/live-deliveries";
import { ReplayAll } from "@/components/dashboard/deliveries/replay-all";
import { ReplayStrip } from "@/components/dashboard/deliveries/replay-strip";
import { shownReplays } from "@/components/dashboard/deliveries/replay-words";
import { TroubleNotice } from "@/components/dashboard/deliveries/trouble-notice";
import { errorOptions, stateOptions } from "@/components/dashboard/deliveries/words";
import { Deferred } from "@/components/dashboard/live/deferred";
import { Selection } from "@/components/dashboard/selection/selection";
import { EmptyState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";
import { type DeliveryRow, deliveryList } from "@/server/services/staff/lists/deliveries";

type Input = Parameters<StaffCaller["deliveries"]["list"]>[0];
type Filters = Parameters<StaffCaller["deliveries"]["count"]>[0];
type Pulsed = Parameters<StaffCaller["deliveries"]["pulse"]>[0];
type ShownDeliveries = ListView<typeof deliveryList>;

export const deliveries: Listing<typeof deliveryList, DeliveryRow, Input> = {
  list: deliveryList,
  title: "Deliveries",
  refused: { title: "Invalid filter", advice: "Fix or clear the filter." },
  page: (api, input) => api.deliveries.list(input),
  count: (api, input) => api.deliveries.count(input),
  tabs: { filter: "state", label: "State", options: stateOptions },
  options: { state: stateOptions, errorClass: errorOptions },
  table: ({ path, params, now, isOfOneAccount }, rows) => (
    <Selection kind="deliveries" ids={rows.map(({ id }) => id)}>
      <DeliveryTable {...{ path, rows, params, now, isOfOneAccount }} isList />
    </Selection>
  ),
  nothing: (shown, clear) => <Nothing shown={shown} clear={clear} />,
  actions: ({ path, params, filters }, counting) => (
    <>
      <ExportLink path={path} params={params} />
      <Deferred of={counting.then(({ value }) => value && <ReplayAll filters={filters} {...value} />)} />
    </>
  ),
  above: (shown) => (
    <>
      <Suspense>
        <Strips shown={shown} />
      </Suspense>
      {cursorOf(shown.params) === undefined && (
        <Suspense fallback={<DeliveryChartSkeleton />}>
          <Chart shown={shown} />
        </Suspense>
      )}
    </>
  ),
  notes: async ({ api, filters, now, isOfOneAccount }, rows) => {
    if (rows.length === 0) return null; // what is shown instead says it
    const { value } = await reading(api.deliveries.trouble(filters as Filters));
    return value && <TroubleNotice {...{ trouble: value, now, isOfOneAccount }} />;
  },
  live: {
    pulse: (shown) => shown.api.deliveries.pulse(watchedBy(shown) as Pulsed),
    watch: (shown, seen) => <LiveDeliveries filters={watchedBy(shown)} seen={seen} />,
  },
  panel: {
    thing: "Delivery",
    open: ({ api, now }, id, closeHref) => <OpenDelivery api={api} id={id} closeHref={closeHref} now={now} />,
  },
};

function watchedBy({ filters, params }: ShownDeliveries) {
  return { ...filters, open: firstOf(params, "open") };
}

/** Shows the state of the filtered channel, and bulk retries. */
async function Strips({ shown: { api, filters, now, isOfOneAccount } }: { shown: ShownDeliveries }) {
  const { channel } = filters;
  const [health, replays] = await Promise.all([
    channel ? reading(api.channels.health({ id: channel })) : null,
    isOfOneAccount ? [] : api.deliveries.replays.list(),
  ]);
  return (
    <>
      {health?.value && <ChannelStrip channel={health.value} now={now} />}
      {shownReplays(replays, now).map((replay) => (
        <ReplayStrip key={replay.id} replay={replay} now={now} />
      ))}
    </>
  );
}

/** Charts the deliveries of the list, unless they span too long a time. */
async function Chart({ shown: { api, path, params, filters } }: { shown: ShownDeliveries }) {
  const { value } = await reading(api.deliveries.chart(filters as Filters));
  const isEmpty = value?.bars.every(({ at: _, ...counts }) => Object.values(counts).every((count) => count === 0));
  return value && !isEmpty ? <DeliveryChart {...value} path={path} params={params} zone={await shownZone()} /> : null;
}

async function Nothing({ shown, clear }: { shown: ShownDeliveries; clear: React.ReactNode }) {
  const { api, chosen, filters, now } = shown;
  if (Object.values(filters).some((value) => value !== undefined)) {
    const { value } = await reading(api.deliveries.absence(filters as Filters));
    const { title, text } = absenceWords(value ?? { reason: "nothing" }, { now, filters });
    return (
      <EmptyState title={title} action={Object.values(chosen).some((value) => value !== undefined) && clear}>
        {text}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deliveries yet">
      When an application creates a channel with <code className="font-mono">POST /v1/channels</code>, its verification
      appears here, followed by a delivery for each change to the account’s events.
    </EmptyState>
  );
}
