import { AddOrganization } from "@/components/dashboard/organizations/add-organization";
import { Authorizations } from "@/components/dashboard/organizations/authorizations";
import { OrganizationActions } from "@/components/dashboard/organizations/organization-actions";
import { providerWords } from "@/components/dashboard/organizations/words";
import { Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { counted, formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { StaffDelegation, StaffOrganizations } from "@/server/services/staff/organizations/shapes";

interface OrganizationsProps extends StaffOrganizations {
  /** The application's id. */
  application: string;
  isAdmin: boolean;
  now: number;
}

/** Shows the organizations whose mailboxes an application can open, and the last mailboxes that it asked for. */
export function Organizations({ application, delegations, authorizations, isAdmin, now }: OrganizationsProps) {
  return (
    <>
      <Section title="Organizations" level={2} aside={formatCount(delegations.length)}>
        <p className="mb-3 text-13 text-faint">
          {delegations.length === 0
            ? "No organizations. Add a Google Workspace domain or a Microsoft 365 tenant, and the application can open the calendars of its users and rooms without asking each one."
            : "The application can open the calendars of these organizations without asking each user."}{" "}
          <a href="/docs/organizations" className="text-accent underline underline-offset-2">
            How it works
          </a>
        </p>
        {isAdmin && <AddOrganization application={application} />}
        {delegations.length > 0 && (
          <Lines>
            {delegations.map((delegation) => (
              <Line key={delegation.id} actions={isAdmin && <OrganizationActions delegation={delegation} />}>
                <Organization delegation={delegation} now={now} />
              </Line>
            ))}
          </Lines>
        )}
      </Section>
      <Section title="Authorizations" level={2} aside="Last 50">
        <Authorizations authorizations={authorizations} now={now} />
      </Section>
    </>
  );
}

function Organization({ delegation, now }: { delegation: StaffDelegation; now: number }) {
  const { domains, provider, client, administrator, tenant, withdrawnAt, createdAt } = delegation;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3">
        <span className="wrap-anywhere font-medium">{domains.join(", ")}</span>
        <span className="text-faint">{providerWords[provider]}</span>
        {withdrawnAt === null ? (
          <State tone="good">{counted(delegation.profiles, "profile")}</State>
        ) : (
          <State tone="bad">
            Key withdrawn <Time at={withdrawnAt} now={now} />
          </State>
        )}
      </span>
      <p className="mt-1 break-all text-12 text-faint">
        <span className="font-mono">{client}</span>
        {administrator !== null && <> as {administrator}</>}
        {tenant !== null && (
          <>
            {" "}
            in tenant <span className="font-mono">{tenant}</span>
          </>
        )}
      </p>
      <p className="mt-1 text-12 text-faint">{reachOf(delegation)}</p>
      <Aside>
        <Id id={delegation.id} />
        <span>
          added <Time at={createdAt} now={now} />
        </span>
      </Aside>
    </>
  );
}

function reachOf({ addresses, groupAddress }: StaffDelegation): string {
  const only = [
    ...(addresses.length > 0 ? [`${counted(addresses.length, "address", "addresses")}: ${addresses.join(", ")}`] : []),
    ...(groupAddress === null ? [] : [`members of ${groupAddress}`]),
  ];
  return only.length > 0 ? `Only ${only.join(", and of those ")}` : "Everyone and all rooms in these domains";
}
