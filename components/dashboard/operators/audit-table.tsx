import { More } from "@/components/dashboard/more";
import { objectHref } from "@/components/dashboard/operators/places";
import { deedWord, detailText } from "@/components/dashboard/operators/words";
import { Id } from "@/components/ui/id";
import { Above, Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { AuditRow } from "@/server/services/staff/audit-trail/list";

/** Who did what, newest first. */
export function AuditTable({ rows, now }: { rows: readonly AuditRow[]; now: number }) {
  return (
    <Table
      label="Audit trail"
      head={
        <>
          <Th>Who</Th>
          <Th>What</Th>
          <Th from="sm">To what</Th>
          <Th from="lg">Details</Th>
          <Th from="xl">From</Th>
          <Th align="right">When</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id} first={<Actor actor={row.actor} />}>
          <Cells row={row} now={now} />
        </Row>
      ))}
    </Table>
  );
}

function Actor({ actor }: { actor: string }) {
  return (
    <span className="block max-w-60 truncate normal-nums max-sm:max-w-28" title={actor}>
      {actor}
    </span>
  );
}

function Cells({ row, now }: { row: AuditRow; now: number }) {
  const details = detailText(row.detail);
  return (
    <>
      <Td className="max-sm:max-w-36 max-sm:truncate" title={row.action}>
        {deedWord(row.action)}
        <span className="block truncate font-mono text-12 text-faint sm:hidden">{row.object}</span>
      </Td>
      <Td from="sm">
        <Subject object={row.object} />
      </Td>
      <Td from="lg" className="max-w-96 truncate text-faint" title={details}>
        {details || "–"}
      </Td>
      <Td from="xl" className="text-faint" title={row.requestId ?? undefined}>
        {row.address ?? "–"}
      </Td>
      <Td align="right" className="text-faint">
        <Time at={row.at} now={now} />
      </Td>
    </>
  );
}

function Subject({ object }: { object: string }) {
  const href = objectHref(object);
  return (
    <Above>
      <Id id={object} />
      {href && (
        <>
          <span className="text-faint"> · </span>
          <More href={href}>Open</More>
        </>
      )}
    </Above>
  );
}
