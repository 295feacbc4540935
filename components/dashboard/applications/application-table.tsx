import { applicationPath } from "@/components/dashboard/applications/tabs";
import { planWords, requestsOf } from "@/components/dashboard/applications/words";
import { Tag } from "@/components/ui/chip";
import { classes } from "@/components/ui/classes";
import { Id } from "@/components/ui/id";
import { Count, counted, formatShare } from "@/components/ui/number";
import { Spark } from "@/components/ui/spark";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import type { ApplicationRow } from "@/server/services/staff/applications/shapes";

/** The error rate from which an application needs attention. */
const BAD_RATE = 0.05;

/** Lists the applications by name. */
export function ApplicationTable({ rows }: { rows: readonly ApplicationRow[] }) {
  return (
    <Table
      label="Applications"
      head={
        <>
          <Th>Name</Th>
          <Th from="lg">Client ID</Th>
          <Th from="md">Plan</Th>
          <Th align="right" from="sm">
            Accounts
          </Th>
          <Th from="md">Last 24 hours</Th>
          <Th align="right">Requests</Th>
          <Th align="right">Errors</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id} href={applicationPath(row.id)} name={`application ${row.id}`} first={<Name row={row} />}>
          <Cells row={row} />
        </Row>
      ))}
    </Table>
  );
}

function Name({ row: { name, disabledAt, isDeleted } }: { row: ApplicationRow }) {
  return (
    <span className="flex max-w-72 items-center gap-2 until-sm:max-w-44 until-sm:flex-wrap">
      <span className="truncate">{name}</span>
      {disabledAt !== null && <State tone="bad">{isDeleted ? "Deleting" : "Disabled"}</State>}
    </span>
  );
}

function Cells({ row }: { row: ApplicationRow }) {
  const requests = requestsOf(row.traffic);
  return (
    <>
      <Td from="lg">
        <Id id={row.clientId} isInRow />
      </Td>
      <Td from="md">
        <span className="inline-flex items-center gap-2">
          {planWords[row.plan]}
          {row.compatibilityMode && <Tag>compatibility</Tag>}
        </span>
      </Td>
      <Td align="right" from="sm">
        <Count count={row.accounts} />
      </Td>
      <Td from="md">
        <Spark values={row.traffic.requestsPerHour} label={`${counted(requests, "request")} in the last 24 hours`} />
      </Td>
      <Td align="right">
        <Count count={requests} />
      </Td>
      <Td align="right" className={classes(requests > 0 && row.traffic.errorRate >= BAD_RATE && "text-red")}>
        {formatShare(requests === 0 ? null : row.traffic.errorRate)}
      </Td>
    </>
  );
}
