import { storedReads } from "@/components/dashboard/requests/words";
import { BarChart } from "@/components/ui/bar-chart";
import { EmptyState } from "@/components/ui/notice";
import { formatCount, formatDuration, formatShare } from "@/components/ui/number";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { wallClock } from "@/components/ui/zoned-time";
import type { TrafficRange } from "@/server/services/staff/lists/requests";
import type { RouteTraffic, Traffic } from "@/server/services/staff/requests/traffic/shapes";

const volume = [
  { key: "fine", label: "2xx or 3xx", tone: "off" },
  { key: "rejected", label: "4xx", tone: "wait" },
  { key: "failed", label: "5xx", tone: "bad" },
] as const;
const latency = [
  { key: "p95", label: "p95", tone: "off" },
  { key: "p50", label: "p50", tone: "accent" },
] as const;

/** What each bar is, and the labels under the charts. */
const words: Record<TrafficRange, { bar: string; ends: readonly string[] }> = {
  "1h": { bar: "minute", ends: ["1 h ago", "30 min ago", "now"] },
  "24h": { bar: "hour", ends: ["24 h ago", "12 h ago", "now"] },
  "7d": { bar: "3 hours", ends: ["7 d ago", "3.5 d ago", "now"] },
};

interface TrafficChartsProps {
  traffic: Traffic;
  range: TrafficRange;
  /** What the range is called: "last hour". */
  label: string;
  /** The path of the request list that routes link to, with what its query keeps. */
  requestsPath: string;
  application?: string;
  zone: string;
  /** The share of successful reads that the log stores. */
  readShare: number;
}

/** Charts the volume, the errors and the latency of requests, and lists the routes. */
export function TrafficCharts({
  traffic,
  range,
  label,
  requestsPath,
  application,
  zone,
  readShare,
}: TrafficChartsProps) {
  const { bars, routes, requests, sampled } = traffic;
  if (requests === 0 && sampled === 0) {
    return <EmptyState title="No requests">Requests in the {label} are charted here.</EmptyState>;
  }
  const { bar, ends } = words[range];
  const named = bars.map((one) => ({
    ...one,
    label: wallClock(Date.parse(one.at), zone).slice(0, 16).replace("T", " "),
  }));
  const volumes = named.map(({ label: name, requests: all, clientErrors: rejected, serverErrors: failed }) => ({
    ...{ label: name, values: { fine: all - rejected - failed, rejected, failed } },
  }));
  const latencies = named.map(({ label: name, p50, p95 }) => ({
    ...{ label: name, values: { p50: p50 ?? 0, p95: p95 ?? 0 } },
  }));
  return (
    <>
      {/* The tables behind the charts are taller than them: without a clip the page would scroll into empty space. */}
      <div className="relative grid gap-6 overflow-hidden border-b px-6 py-4 max-sm:px-4">
        <BarChart title={`Requests per ${bar}`} series={volume} bars={volumes} ends={ends} />
        <BarChart title={`Latency per ${bar}`} series={latency} bars={latencies} ends={ends} measure="durations" />
      </div>
      <section aria-labelledby="routes" className="pt-4">
        <h2 id="routes" className="px-6 text-13 font-medium max-sm:px-4">
          Errors and latency by route
        </h2>
        <p className="px-6 pb-1 text-12 text-faint max-sm:px-4">
          {sampleWords(sampled, requests)}
          {readShare === 0 && ` ${storedReads(readShare)}`}
        </p>
        <Routes routes={routes} {...{ sampled, requestsPath, application, range }} />
      </section>
    </>
  );
}

function sampleWords(sampled: number, requests: number): string {
  if (sampled >= requests) return "Based on all requests, as are the latencies above.";
  return `Based on a sample of ${formatCount(sampled)} of ${formatCount(requests)} requests, as are the latencies above.`;
}

interface RoutesProps extends Pick<TrafficChartsProps, "requestsPath" | "application" | "range"> {
  routes: readonly RouteTraffic[];
  sampled: number;
}

function Routes({ routes, sampled: all, requestsPath, application, range }: RoutesProps) {
  return (
    <Table
      label="Errors and latency by route"
      head={
        <>
          <Th>Route</Th>
          <Th align="right" from="sm">
            Requests
          </Th>
          <Th align="right">Errors</Th>
          <Th align="right" from="sm">
            p50
          </Th>
          <Th align="right">p95</Th>
        </>
      }
    >
      {routes.map(({ method, endpoint, sampled, errors, p50, p95 }) => (
        <Row
          key={`${method} ${endpoint}`}
          href={endpoint === null ? undefined : hrefOf(requestsPath, { method, endpoint, application, range })}
          name="view requests"
          first={
            <span
              className="block max-w-140 truncate font-mono text-12 max-sm:max-w-44"
              title={`${method} ${endpoint ?? ""}`}
            >
              {method} {endpoint ?? "other paths"}
            </span>
          }
        >
          <Td align="right" from="sm">
            {formatShare(sampled / all)}
          </Td>
          <Td align="right" className={errors === 0 ? "text-faint" : undefined}>
            {formatShare(errors / sampled)}
          </Td>
          <Td align="right" from="sm">
            {formatDuration(p50)}
          </Td>
          <Td align="right">{formatDuration(p95)}</Td>
        </Row>
      ))}
    </Table>
  );
}

function hrefOf(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((one): one is [string, string] => one[1] !== undefined);
  return `${path}?${new URLSearchParams(given)}`;
}
