"use client";

import { useState } from "react";
import { ApplicationFields, settingsIn } from "@/components/dashboard/applications/application-fields";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import type { ApplicationSettings } from "@/server/services/staff/applications/shapes";

/** Changes an application's name, plan and switches. */
export function EditApplication({ application }: { application: ApplicationSettings & { id: string } }) {
  const [isOpen, setOpen] = useState(false);
  const action = useFormAction(["name"]);
  const submit = async (form: FormData) => {
    const input = { id: application.id, ...settingsIn(form) };
    if (await action.run(() => staffClient.applications.update.mutate(input), "Application updated")) setOpen(false);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Edit…</Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`Edit ${application.name}`}
        description="Changes apply from the next request."
        action={action}
        verb="Save"
        working="Saving…"
        onSubmit={submit}
      >
        <ApplicationFields settings={application} action={action} />
      </FormDialog>
    </>
  );
}
