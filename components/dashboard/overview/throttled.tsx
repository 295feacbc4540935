import { formatCount } from "@/components/ui/number";
import { Row, Table, Td, Th } from "@/components/ui/table";
import type { Overview } from "@/server/services/staff/overview/shapes";

/** Lists applications that hit a rate limit in the last hour. A row links to the requests with a 429. */
export function Throttled({ applications }: { applications: Overview["throttledApplications"] }) {
  return (
    <section aria-labelledby="throttled" className="pt-4">
      <h2 id="throttled" className="px-6 pb-1 text-13 font-medium max-sm:px-4">
        Rate-limited applications
      </h2>
      {applications.length === 0 ? (
        <p className="px-6 pb-4 text-13 text-faint max-sm:px-4">
          None in the last hour. Applications that receive a 429 are listed here.
        </p>
      ) : (
        <Table
          label="Rate-limited applications"
          head={
            <>
              <Th>Application</Th>
              <Th align="right">429s</Th>
            </>
          }
        >
          {applications.map(({ id, name, count }) => (
            <Row key={id} href={requestsOf(id)} name="view rate-limited requests" first={name}>
              <Td align="right">{formatCount(count)}</Td>
            </Row>
          ))}
        </Table>
      )}
    </section>
  );
}

function requestsOf(application: string): string {
  return `/dashboard/requests?${new URLSearchParams({ application, status: "429", range: "1h" })}`;
}
