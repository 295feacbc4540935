"use client";

import { useState } from "react";
import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { TextField } from "@/components/ui/field";
import type { ApplicationHead } from "@/server/services/staff/applications/shapes";

type Named = Pick<ApplicationHead, "id" | "name">;

/** Disables an application, enables it again, and deletes it. */
export function ApplicationActions({ application }: { application: ApplicationHead }) {
  if (application.isDeleted) return null;
  return (
    <>
      {application.disabledAt === null ? <Disable {...application} /> : <Enable {...application} />}
      <Delete {...application} />
    </>
  );
}

function Disable({ id, name }: Named) {
  return (
    <ConfirmedAction
      label="Disable…"
      look="danger"
      title={`Disable ${name}?`}
      text="Its tokens, client secrets and connect links stop working immediately. Deliveries, syncs and writes to providers pause. Nothing is deleted, and everything resumes when you enable it again."
      verb="Disable application"
      announcement="Application disabled"
      work={() => staffClient.applications.disable.mutate({ id })}
    />
  );
}

function Enable({ id }: Named) {
  const action = useAction();
  const enable = () => action.run(() => staffClient.applications.enable.mutate({ id }), "Application enabled");
  return (
    <>
      <Fault>{action.fault}</Fault>
      <Button disabled={action.isBusy} onClick={enable}>
        {action.isBusy ? "Enabling…" : "Enable"}
      </Button>
    </>
  );
}

function Delete({ id, name }: Named) {
  const [isOpen, setOpen] = useState(false);
  const action = useFormAction(["name"]);
  const submit = async (form: FormData) => {
    const remove = () => staffClient.applications.delete.mutate({ id, name: String(form.get("name") ?? "") });
    if (await action.run(remove, "Application deleted")) setOpen(false);
  };
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`Delete ${name}?`}
        description="Its requests are rejected immediately. Its accounts, hosted calendars, tokens, provider credentials and deliveries are erased within minutes. Its request log stays until it expires. This can’t be undone."
        action={action}
        verb="Delete application"
        working="Deleting…"
        isDanger
        onSubmit={submit}
      >
        <TextField label={`Type “${name}” to confirm`} name="name" required fault={action.faultOf("name")} />
      </FormDialog>
    </>
  );
}
