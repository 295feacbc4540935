import { address, firstOf, type Params } from "@/components/dashboard/address";
import { DELIVERIES } from "@/components/dashboard/deliveries/filters";
import { lastAnswer, stateWords, typeWords } from "@/components/dashboard/deliveries/words";
import { classes } from "@/components/ui/classes";
import { Id } from "@/components/ui/id";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { DeliveryRow } from "@/server/services/staff/deliveries/shapes";

const MOST_ATTEMPTS = 10;

interface DeliveryTableProps {
  rows: readonly DeliveryRow[];
  params: Params;
  now: number;
}

/** The deliveries, newest first. */
export function DeliveryTable({ rows, params, now }: DeliveryTableProps) {
  const open = firstOf(params, "open");
  return (
    <Table
      label="Deliveries"
      head={
        <>
          <Th>State</Th>
          <Th from="lg">Delivery</Th>
          <Th>Type</Th>
          <Th from="md">Application</Th>
          <Th from="xl">Host</Th>
          <Th align="right" from="lg">
            Attempts
          </Th>
          <Th from="sm">Last answer</Th>
          <Th align="right" from="xl">
            Next attempt
          </Th>
          <Th align="right">Created</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          href={address(DELIVERIES, params, { open: row.id })}
          name={`delivery ${row.id}`}
          isOpen={row.id === open}
          first={<StateOf row={row} />}
        >
          <Cells row={row} now={now} />
        </Row>
      ))}
    </Table>
  );
}

function Cells({ row, now }: { row: DeliveryRow; now: number }) {
  return (
    <>
      <Td from="lg">
        <Id id={row.id} isInRow />
      </Td>
      <Td className="max-w-34 truncate max-sm:max-w-44" title={row.type}>
        {typeWords[row.type]}
        <span className="block truncate text-12 text-faint normal-nums sm:hidden">{row.host}</span>
      </Td>
      <Td from="md" className="max-w-40 truncate normal-nums">
        {row.applicationName ?? <Id id={row.applicationId} isInRow />}
      </Td>
      <Td from="xl" className="max-w-52 truncate normal-nums" title={row.host}>
        {row.host}
      </Td>
      <Td align="right" from="lg">
        {row.attempts}
        <span className="text-faint">/{Math.max(MOST_ATTEMPTS, row.attempts)}</span>
      </Td>
      <Td
        from="sm"
        className={classes(
          row.state === "failed" && "text-red",
          row.lastStatus === null && row.lastError === null && "text-faint",
        )}
      >
        {lastAnswer(row)}
      </Td>
      <Td align="right" from="xl" className="text-faint">
        {row.nextAttemptAt ? <Time at={row.nextAttemptAt} now={now} /> : "–"}
      </Td>
      <Td align="right" className="text-faint">
        <Time at={row.createdAt} now={now} />
      </Td>
    </>
  );
}

/** Its state, and that it is late or was asked for by staff. */
function StateOf({ row }: { row: DeliveryRow }) {
  const { tone, word } = stateWords[row.state];
  return (
    <State tone={tone}>
      {word}
      {row.late && <span className="text-faint">late</span>}
      {row.manual && <span className="text-faint">by hand</span>}
    </State>
  );
}
