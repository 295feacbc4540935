import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { objectHref } from "@/components/dashboard/settings/links";
import { actionWord, detailText } from "@/components/dashboard/settings/words";
import { Id } from "@/components/ui/id";
import { Above, Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { AuditRow } from "@/server/services/staff/lists/audit";

/** Lists who did what, newest first. */
export function AuditTable({ rows, now }: { rows: readonly AuditRow[]; now: number }) {
  return (
    <Table
      label="Audit trail"
      head={
        <>
          <Th>Operator</Th>
          <Th>Action</Th>
          <Th from="sm">Object</Th>
          <Th from="lg">Details</Th>
          <Th from="xl">IP address</Th>
          <Th align="right">Time</Th>
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
    <span className="block max-w-44 truncate normal-nums until-sm:max-w-20" title={actor}>
      {actor}
    </span>
  );
}

function Cells({ row, now }: { row: AuditRow; now: number }) {
  const details = detailText(row.detail);
  return (
    <>
      <Td className="until-lg:w-full until-lg:max-w-0 until-lg:truncate" title={row.action}>
        {actionWord(row.action)}
        <span className="block truncate font-mono text-12 text-faint from-sm:hidden">{row.object}</span>
      </Td>
      <Td from="sm">
        <Subject object={row.object} />
      </Td>
      <Td from="lg" className="w-full max-w-0 truncate text-faint" title={details}>
        {details || "–"}
      </Td>
      <Td from="xl" className="max-w-36 truncate text-faint" title={addressTitle(row)}>
        {row.address ?? "–"}
      </Td>
      <Td align="right" className="text-faint">
        <Time at={row.at} now={now} />
      </Td>
    </>
  );
}

/** Returns the full address for hovering, because the column cuts off IPv6 addresses. */
function addressTitle({ address, requestId }: AuditRow): string | undefined {
  return [address, requestId].filter(Boolean).join("\n") || undefined;
}

function Subject({ object }: { object: string }) {
  const href = objectHref(object);
  return (
    <Above>
      <Id id={object} isInRow />
      {href && (
        <>
          <span className="text-faint"> · </span>
          <DetailLink href={href}>
            View<span className="sr-only"> {object}</span>
          </DetailLink>
        </>
      )}
    </Above>
  );
}
