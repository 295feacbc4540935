"use client";

import { type FormEvent, useId, useState } from "react";
import { ApplicationFields, type Settings, settingsIn } from "@/components/dashboard/applications/application-fields";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";

/** Changes an application's name, plan and compatibility mode. */
export function EditApplication({ application }: { application: Settings & { id: string } }) {
  const [isOpen, setOpen] = useState(false);
  const form = useId();
  const action = useFormAction(["name"]);
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = { id: application.id, ...settingsIn(new FormData(event.currentTarget)) };
    if (await action.run(() => staffClient.applications.update.mutate(input), "Application updated")) change(false);
  };
  return (
    <>
      <Button onClick={() => change(true)}>Edit…</Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={change}
        title={`Edit ${application.name}`}
        description="Changes apply from the next request."
        actions={
          <>
            <Button onClick={() => change(false)}>Cancel</Button>
            <Button type="submit" form={form} look="primary" disabled={action.isBusy}>
              {action.isBusy ? "Saving…" : "Save"}
            </Button>
          </>
        }
      >
        <form id={form} noValidate onSubmit={submit} className="grid gap-4">
          <ApplicationFields settings={application} action={action} />
          <Fault>{action.otherFault}</Fault>
        </form>
      </Dialog>
    </>
  );
}
