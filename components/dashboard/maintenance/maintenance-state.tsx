import Link from "next/link";
import type { ReactNode } from "react";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { EndMaintenance } from "@/components/dashboard/maintenance/end-maintenance";
import { StartMaintenance } from "@/components/dashboard/maintenance/start-maintenance";
import { Until } from "@/components/dashboard/maintenance/until";
import { serviceText } from "@/components/dashboard/maintenance/words";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import type { Maintenance, ShownSwitch } from "@/server/services/staff/maintenance/shapes";

interface MaintenanceStateProps {
  maintenance: Maintenance;
  /** Admins turn it on and off. */
  canChange: boolean;
  now: number;
}

/** Shows whether the service is read-only, and which applications' requests are refused. */
export function MaintenanceState({ maintenance: { service, applications }, canChange, now }: MaintenanceStateProps) {
  return (
    <>
      <Section id="service" title="Service">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-13">
          <State tone={service ? "wait" : "good"}>{service ? "Read-only" : "Reads and writes"}</State>
          {service && (
            <span>
              <Until {...service} now={now} />. <By shown={service} />
            </span>
          )}
        </p>
        <p className="max-w-prose text-13 text-faint">{serviceText}</p>
        {canChange && <div className="flex flex-wrap items-center gap-2">{serviceAction(service !== null)}</div>}
      </Section>
      <Section id="applications" title="Applications">
        <p className="max-w-prose text-13 text-faint">
          You can refuse an application’s requests on its page. Applications whose requests are refused are listed here.
        </p>
        {applications.length === 0 && <p className="text-13">No application’s requests are refused.</p>}
      </Section>
      {applications.length > 0 && <Refused applications={applications} canChange={canChange} now={now} />}
    </>
  );
}

function serviceAction(isOn: boolean): ReactNode {
  if (isOn) return <EndMaintenance application={null} label="End maintenance" announcement="Maintenance ended" />;
  return (
    <StartMaintenance
      application={null}
      label="Make read-only…"
      title="Make Almanac read-only for maintenance?"
      text={serviceText}
      verb="Make read-only"
      announcement="Almanac is read-only"
    />
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-3 border-t px-6 py-4 max-sm:px-4">
      <h2 id={id} className="text-16">
        {title}
      </h2>
      {children}
    </section>
  );
}

function By({ shown: { actor, note } }: { shown: ShownSwitch }) {
  return (
    <span className="text-faint wrap-anywhere">
      {actor}
      {note !== "" && `: ${note}`}
    </span>
  );
}

interface RefusedProps {
  applications: readonly ShownSwitch[];
  canChange: boolean;
  now: number;
}

function Refused({ applications, canChange, now }: RefusedProps) {
  return (
    <Table
      label="Applications whose requests are refused"
      head={
        <>
          <Th>Application</Th>
          <Th from="md">Refused</Th>
          <Th from="lg">By</Th>
          {canChange && (
            <Th align="right">
              <span className="sr-only">Actions</span>
            </Th>
          )}
        </>
      }
    >
      {applications.map((one) => (
        <Row
          key={one.id}
          first={
            <Link href={applicationPath(one.id, "")} prefetch={false} className="underline">
              {one.applicationName}
            </Link>
          }
        >
          <Td from="md">
            <Until {...one} now={now} />
          </Td>
          <Td from="lg">
            <By shown={one} />
          </Td>
          {canChange && (
            <Td align="right">
              <EndMaintenance
                application={one.id}
                label="Accept requests"
                name={`Accept requests of ${one.applicationName}`}
                announcement="Requests accepted"
              />
            </Td>
          )}
        </Row>
      ))}
    </Table>
  );
}
