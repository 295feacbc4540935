import { Endpoint } from "@/components/dashboard/deliveries/endpoint";
import { lastAnswer } from "@/components/dashboard/deliveries/words";
import { formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { FailingEndpoint, Overview } from "@/server/services/staff/overview/shapes";

/** Where nothing gets through now, before all figures; a row leads to its deliveries. */
export function FailingEndpoints({ failing, now }: { failing: Overview["failingEndpoints"]; now: number }) {
  const { items, count } = failing;
  return (
    <section aria-labelledby="failing" className="border-t pt-3">
      <h2 id="failing" className="px-6 pb-1 text-13 font-medium max-sm:px-4">
        Failing endpoints{count > 0 && <span className="tnum font-normal text-faint"> {formatCount(count)}</span>}
      </h2>
      {count === 0 ? (
        <p className="px-6 pb-3 text-13 text-faint max-sm:px-4">
          <State tone="off">None</State>
        </p>
      ) : (
        <FailingTable items={items} now={now} />
      )}
      {count > items.length && (
        <p className="px-6 py-2 text-12 text-faint max-sm:px-4">The {items.length} with the most failures.</p>
      )}
    </section>
  );
}

function FailingTable({ items, now }: { items: readonly FailingEndpoint[]; now: number }) {
  return (
    <Table
      label="Failing endpoints"
      head={
        <>
          <Th>Endpoint</Th>
          <Th from="md">Application</Th>
          <Th from="sm">Last response</Th>
          <Th align="right" from="sm">
            Retrying
          </Th>
          <Th align="right">Failed</Th>
          <Th align="right">Since</Th>
          <Th align="right" from="lg">
            Last success
          </Th>
        </>
      }
    >
      {items.map((item) => (
        <Row
          key={`${item.applicationId} ${item.endpoint}`}
          href={deliveriesOf(item)}
          name="view deliveries"
          first={
            <>
              <span className="block max-sm:max-w-48 max-sm:truncate">
                <Endpoint endpoint={item.endpoint} />
              </span>
              <span className="block text-12 text-red sm:hidden">{lastAnswer(item)}</span>
            </>
          }
        >
          <Td from="md" className="max-w-40 truncate">
            {item.applicationName}
          </Td>
          <Td from="sm">
            <State tone="bad">{lastAnswer(item)}</State>
          </Td>
          <Td align="right" from="sm">
            {formatCount(item.retrying)}
          </Td>
          <Td align="right">{formatCount(item.failed)}</Td>
          <Td align="right" className="text-faint">
            <Time at={item.failingSince} now={now} />
          </Td>
          <Td align="right" from="lg" className="text-faint">
            {item.lastSuccessAt ? <Time at={item.lastSuccessAt} now={now} /> : "none recently"}
          </Td>
        </Row>
      ))}
    </Table>
  );
}

/** Of its channel; of several, of all that begin like it. */
function deliveriesOf({ channelIds, applicationId, endpoint }: FailingEndpoint): string {
  const [channel, ...others] = channelIds;
  const isOne = channel !== undefined && others.length === 0;
  const query = new URLSearchParams(
    isOne
      ? [["channel", channel]]
      : [
          ["application", applicationId],
          ["q", endpoint],
        ],
  );
  return `/dashboard/deliveries?${query}`;
}
