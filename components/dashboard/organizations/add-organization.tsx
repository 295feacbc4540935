"use client";

import { useState } from "react";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { KeyFields, keyFieldNames, keyIn, ProviderField } from "@/components/dashboard/organizations/key-fields";
import { ReachFields, reachFieldNames, reachIn } from "@/components/dashboard/organizations/reach-fields";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import type { Delegator } from "@/server/domain/delegations";

/** Adds an organization to an application. */
export function AddOrganization({ application: id }: { application: string }) {
  const [isOpen, setOpen] = useState(false);
  const [provider, setProvider] = useState<Delegator>("google");
  const action = useFormAction([...keyFieldNames, ...reachFieldNames]);
  const add = async (form: FormData) => {
    const isDone = await action.run(
      () => staffClient.organizations.add.mutate({ id, ...keyIn(form, provider), ...reachIn(form) }),
      "Organization added",
    );
    if (isDone) setOpen(false);
  };
  return (
    <div className="mb-3">
      <Button onClick={() => setOpen(true)}>Add organization…</Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="Add organization"
        description="The application can then open the calendars of its users and rooms. Verify a mailbox next to see whether anything is missing."
        action={action}
        verb="Add organization"
        working="Adding…"
        onSubmit={add}
      >
        <ProviderField value={provider} onChange={setProvider} />
        <KeyFields provider={provider} action={action} />
        <ReachFields action={action} />
      </FormDialog>
    </div>
  );
}
