"use client";

import { type FormEvent, useId } from "react";
import { RemoveMember } from "@/components/dashboard/members/remove-member";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { SelectField } from "@/components/ui/field";
import { Line, Lines } from "@/components/ui/lines";

interface Application {
  id: string;
  name: string;
}

interface OperatorApplicationsProps {
  developer: { id: string; name: string };
  applications: readonly Application[];
  /** All applications. */
  all: readonly Application[];
}

/** Lists the applications that a developer sees. */
export function OperatorApplications({ developer, applications, all }: OperatorApplicationsProps) {
  const known = new Set(applications.map(({ id }) => id));
  const others = all.filter(({ id }) => !known.has(id));
  return (
    <>
      {others.length > 0 && <AddApplication operatorId={developer.id} others={others} />}
      {applications.length === 0 && (
        <p className="text-13 text-faint">No applications yet, so they can’t see anything.</p>
      )}
      <Lines>
        {applications.map((application) => (
          <Line
            key={application.id}
            actions={<RemoveMember developer={developer} application={application} beside="application" />}
          >
            <DetailLink href={`/dashboard/applications/${application.id}`}>{application.name}</DetailLink>
          </Line>
        ))}
      </Lines>
    </>
  );
}

function AddApplication({ operatorId, others }: { operatorId: string; others: readonly Application[] }) {
  const action = useAction();
  const form = useId();
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const applicationId = String(new FormData(event.currentTarget).get("application"));
    await action.run(() => staffClient.members.add.mutate({ operatorId, applicationId }), "Application added");
  };
  return (
    <form id={form} onSubmit={add} className="mb-3 grid gap-2">
      <div className="flex items-end gap-2">
        <SelectField label="Add an application" name="application" className="min-w-0 flex-1">
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button type="submit" disabled={action.isBusy}>
          {action.isBusy ? "Adding…" : "Add"}
        </Button>
      </div>
      <Fault>{action.fault}</Fault>
    </form>
  );
}
