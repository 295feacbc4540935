"use client";

import { type FormEvent, useId, useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Confirm, Dialog } from "@/components/ui/dialog";
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
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  const disable = async () => {
    if (await action.run(() => staffClient.applications.disable.mutate({ id }), "Application disabled")) setOpen(false);
  };
  return (
    <>
      <Button look="danger" onClick={() => change(true)}>
        Disable…
      </Button>
      <Confirm
        isOpen={isOpen}
        onOpenChange={change}
        title={`Disable ${name}?`}
        text="From the next request on, its tokens, client secrets and connect links are refused. Deliveries, syncs and writes to providers pause. Nothing is deleted, and everything resumes when you enable it again."
        verb="Disable application"
        isDanger
        isBusy={action.isBusy}
        fault={action.fault}
        onConfirm={disable}
      />
    </>
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
  const form = useId();
  const action = useFormAction(["name"]);
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("name") ?? "");
    const remove = () => staffClient.applications.delete.mutate({ id, name: typed });
    if (await action.run(remove, "Application deleted")) change(false);
  };
  return (
    <>
      <Button look="danger" onClick={() => change(true)}>
        Delete…
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={change}
        title={`Delete ${name}?`}
        description="Its requests are refused immediately. Its accounts, hosted calendars, tokens, provider credentials and deliveries are erased within minutes. Its request log stays until it expires. This can’t be undone."
        actions={
          <>
            <Button onClick={() => change(false)}>Cancel</Button>
            <Button type="submit" form={form} look="danger" disabled={action.isBusy}>
              {action.isBusy ? "Deleting…" : "Delete application"}
            </Button>
          </>
        }
      >
        <form id={form} noValidate onSubmit={submit} className="grid gap-4">
          <TextField label={`Type “${name}” to confirm`} name="name" required fault={action.faultOf("name")} />
          <Fault>{action.otherFault}</Fault>
        </form>
      </Dialog>
    </>
  );
}
