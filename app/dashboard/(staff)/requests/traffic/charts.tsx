import { reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { TrafficCharts } from "@/components/dashboard/requests/traffic";
import { trafficRangeOf } from "@/components/dashboard/requests/traffic-filters";
import { LinkButton } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";
import { env } from "@/server/env";
import type { StaffCaller } from "@/server/services/staff/api";

interface ChartsProps {
  api: StaffCaller;
  /** The path of the page, and of the request list that routes link to. */
  path: string;
  requestsPath: string;
  params: Params;
  /** The only application whose requests are charted. */
  application?: string;
}

export async function Charts({ api, path, requestsPath, params, application }: ChartsProps) {
  const { value: range, label } = trafficRangeOf(params);
  const traffic = await reading(api.requests.traffic({ range, application }));
  if (traffic.fault !== undefined) {
    return (
      <ErrorState title="Invalid filters" action={<LinkButton href={path}>Clear filters</LinkButton>}>
        {traffic.fault} Change or clear the filters.
      </ErrorState>
    );
  }
  return (
    <TrafficCharts
      traffic={traffic.value}
      range={range}
      label={label.toLowerCase()}
      requestsPath={requestsPath}
      application={firstOf(params, "application")}
      zone={await shownZone()}
      readShare={env().REQUEST_LOG_SAMPLE}
    />
  );
}
