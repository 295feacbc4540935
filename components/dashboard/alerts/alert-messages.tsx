import { kindWords, stateWords } from "@/components/dashboard/alerts/words";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { MessageRow } from "@/server/services/staff/alerts/shapes";

/** Lists what was sent lately, and what could not be. */
export function AlertMessages({ messages, now }: { messages: readonly MessageRow[]; now: number }) {
  if (messages.length === 0) return <p className="text-13 text-faint">No alerts yet.</p>;
  return (
    <div className="-mx-6 -mb-4 max-sm:-mx-4">
      <Table
        label="Recent alerts"
        head={
          <>
            <Th>State</Th>
            <Th>Alert</Th>
            <Th>Sent by</Th>
            <Th align="right">Time</Th>
          </>
        }
      >
        {messages.map((message) => (
          <Row key={message.id} first={<StateOf message={message} />}>
            <Td>
              <span className="block py-1.5 whitespace-normal">
                {message.kind === null ? "Test" : `${kindWords[message.kind].name}, ${stateWords[message.state]}`}
                {message.count > 1 && ` (${message.count})`}
                {message.error && <span className="block text-12 text-red">{message.error}</span>}
              </span>
            </Td>
            <Td>{message.way}</Td>
            <Td align="right" className="text-faint">
              <Time at={message.createdAt} now={now} />
            </Td>
          </Row>
        ))}
      </Table>
    </div>
  );
}

function StateOf({ message: { sentAt, isPending } }: { message: MessageRow }) {
  if (sentAt) return <State tone="good">Sent</State>;
  return isPending ? <State tone="wait">Retrying</State> : <State tone="bad">Failed</State>;
}
