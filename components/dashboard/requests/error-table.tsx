import { address } from "@/components/dashboard/address/address";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { REQUESTED_FAULT, statusOfKey, statusTone, statusWords } from "@/components/dashboard/requests/words";
import { Tag } from "@/components/ui/chip";
import { formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Above, Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { requestedFault } from "@/server/domain/requested-faults";
import type { ErrorGroup } from "@/server/services/staff/requests/shapes";

interface ErrorTableProps {
  /** The path of the request list that the rows link to. */
  path: string;
  groups: readonly ErrorGroup[];
  range: string;
  application?: string;
  now: number;
}

/** Lists the errors, most frequent first. A row links to its requests. */
export function ErrorTable({ path, groups, range, application, now }: ErrorTableProps) {
  const most = Math.max(1, ...groups.map(({ count }) => count));
  return (
    <Table
      label="Errors"
      head={
        <>
          <Th>Error</Th>
          <Th from="sm">Endpoint</Th>
          <Th align="right">Count</Th>
          <Th from="lg">Share</Th>
          <Th align="right" from="sm">
            Last seen
          </Th>
          <Th align="right">Latest</Th>
        </>
      }
    >
      {groups.map((group) => (
        <Row
          key={`${group.method} ${group.endpoint} ${group.key}`}
          href={address(path, { ...narrowed(group), range, application })}
          name={`requests to ${endpointWords(group)}`}
          first={<Kind group={group} />}
        >
          <Td from="sm" className="w-full max-w-0 truncate normal-nums" title={endpointWords(group)}>
            <span className="inline-block min-w-11 pr-1.5 font-mono text-12 text-faint">{group.method}</span>
            {group.endpoint ? (
              <span className="font-mono text-12">{group.endpoint}</span>
            ) : (
              <span className="text-faint">unknown path</span>
            )}
          </Td>
          <Td align="right">{formatCount(group.count)}</Td>
          <Td from="lg">
            <Share count={group.count} most={most} />
          </Td>
          <Td align="right" from="sm" className="text-faint">
            <Time at={group.last} now={now} />
          </Td>
          <Td align="right">
            <Above>
              <DetailLink href={address(path, { ...narrowed(group), range, application, open: group.sampleId })}>
                Latest example<span className="sr-only"> of {group.key}</span>
              </DetailLink>
            </Above>
          </Td>
        </Row>
      ))}
    </Table>
  );
}

function Kind({ group }: { group: ErrorGroup }) {
  const status = statusOfKey(group.key);
  return (
    <span className="block max-sm:max-w-44 max-sm:truncate">
      {status === null ? (
        <>
          <span className="font-mono text-12">{group.key}</span>{" "}
          {requestedFault([group.key]) && <Tag>{REQUESTED_FAULT}</Tag>}
        </>
      ) : (
        <State tone={statusTone(status)}>{statusWords(status)}</State>
      )}
      <span className="block truncate text-12 text-faint sm:hidden">{endpointWords(group)}</span>
    </span>
  );
}

function Share({ count, most }: { count: number; most: number }) {
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="h-1 w-24" aria-hidden>
      <rect width={Math.max(2, (100 * count) / most)} height={4} className="fill-edge" />
    </svg>
  );
}

/** Returns the filters of the list that show the group's requests. */
function narrowed({ method, endpoint, key }: ErrorGroup): Record<string, string | undefined> {
  const isStatus = statusOfKey(key) !== null;
  return { method, endpoint: endpoint ?? undefined, [isStatus ? "status" : "errorKey"]: key };
}

function endpointWords({ method, endpoint }: ErrorGroup): string {
  return `${method} ${endpoint ?? "unknown path"}`;
}
