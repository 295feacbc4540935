import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { CutEndpoint, Endpoint } from "@/components/dashboard/deliveries/endpoint";
import { lastAnswer, shownState } from "@/components/dashboard/deliveries/words";
import { columnSorts } from "@/components/dashboard/filters/sorting";
import { SelectAll, SelectRow } from "@/components/dashboard/selection/selection";
import { classes } from "@/components/ui/classes";
import { Id } from "@/components/ui/id";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { MOST_ATTEMPTS } from "@/server/domain/channels/schedule";
import { type DeliveryRow, deliveryList } from "@/server/services/staff/lists/deliveries";

interface DeliveryTableProps {
  /** The path of the page that opens a row. */
  path?: string;
  rows: readonly DeliveryRow[];
  params: Params;
  now: number;
  /** Its rows can be selected and sorted. */
  isList?: boolean;
  /** All are deliveries of one account, which the page names with its application. */
  isOfOneAccount?: boolean;
}

/** Lists deliveries. */
export function DeliveryTable({
  path = deliveryList.path,
  rows,
  params,
  now,
  isList = false,
  isOfOneAccount = false,
}: DeliveryTableProps) {
  const open = firstOf(params, "open");
  const sort = isList ? columnSorts(deliveryList, path, params) : () => undefined;
  return (
    <Table
      label="Deliveries"
      head={
        <>
          <Th mark={isList && <SelectAll />}>State</Th>
          <Th>Type</Th>
          {!isOfOneAccount && <Th from="md">Application</Th>}
          {!isOfOneAccount && <Th from="xl">Account</Th>}
          <Th from="lg">Endpoint</Th>
          <Th align="right" from="md">
            Attempts
          </Th>
          <Th from="sm">Last response</Th>
          <Th align="right" from="xl" sort={sort("nextAttempt")}>
            Next attempt
          </Th>
          <Th align="right" sort={sort("newest", "oldest")}>
            Created
          </Th>
        </>
      }
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          href={address(path, params, { open: row.id })}
          name={`delivery ${row.id}`}
          isOpen={row.id === open}
          mark={isList && <SelectRow id={row.id} name={`delivery ${row.id}`} />}
          first={<StateOf row={row} />}
        >
          <Cells row={row} now={now} isOfOneAccount={isOfOneAccount} />
        </Row>
      ))}
    </Table>
  );
}

interface CellsProps {
  row: DeliveryRow;
  now: number;
  isOfOneAccount: boolean;
}

function Cells({ row, now, isOfOneAccount }: CellsProps) {
  return (
    <>
      <Td className="max-w-0 truncate until-lg:w-full from-lg:w-1/6" title={row.type}>
        {row.type}
        {row.test && <span className="text-faint"> test</span>}
        <span className="block text-faint from-lg:hidden">
          <CutEndpoint endpoint={row.endpoint} />
        </span>
      </Td>
      {!isOfOneAccount && <Owner row={row} />}
      <Td from="lg">
        <Endpoint endpoint={row.endpoint} />
      </Td>
      <Td align="right" from="md">
        {row.attempts}
        <span className="text-faint">/{mostOf(row)}</span>
      </Td>
      <Td
        from="sm"
        className={classes(
          "max-w-40 truncate",
          row.state === "failed" && "text-red",
          row.lastStatus === null && row.lastError === null && "text-faint",
        )}
      >
        <span title={lastAnswer(row)}>{lastAnswer(row)}</span>
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

function Owner({ row }: { row: DeliveryRow }) {
  return (
    <>
      <Td
        from="md"
        className="max-w-36 from-lg:w-1/5 from-lg:max-w-0 truncate normal-nums"
        title={row.applicationName ?? undefined}
      >
        {row.applicationName ?? <Id id={row.applicationId} isInRow />}
      </Td>
      <Td from="xl" className="w-1/5 max-w-0 truncate normal-nums" title={row.accountName ?? undefined}>
        {row.accountName || <Id id={row.accountId} isInRow />}
      </Td>
    </>
  );
}

/**
 * Shows a delivery's state, and that it is late or was retried manually. In a narrow window also the result of its
 * attempts.
 */
function StateOf({ row }: { row: DeliveryRow }) {
  const { tone, word } = shownState(row);
  return (
    <>
      <State tone={tone}>
        {word}
        {row.late && <span className="text-faint">late</span>}
        {row.manual && <span className="text-faint until-sm:hidden">manual</span>}
      </State>
      <span className="block max-w-28 truncate text-12 text-faint from-sm:hidden">
        {row.attempts === 0 ? "No attempts yet" : `${row.attempts}/${mostOf(row)} · ${lastAnswer(row)}`}
      </span>
    </>
  );
}

function mostOf({ attempts }: DeliveryRow): number {
  return Math.max(MOST_ATTEMPTS, attempts);
}
