"use client";

import { useState } from "react";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { lengths } from "@/components/dashboard/maintenance/words";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";

interface StartMaintenanceProps {
  /** Null: the whole service. */
  application: string | null;
  label: string;
  title: string;
  text: string;
  verb: string;
  announcement: string;
}

/** Shows a button that asks how long maintenance is to last, and begins it. */
export function StartMaintenance({ application, label, title, text, verb, announcement }: StartMaintenanceProps) {
  const [isOpen, setOpen] = useState(false);
  const action = useFormAction(["minutes", "note"]);
  const submit = async (form: FormData) => {
    const minutes = String(form.get("minutes") ?? "");
    const input = {
      ...{ application, note: String(form.get("note") ?? "") },
      minutes: minutes === "" ? null : Number(minutes),
    };
    if (await action.run(() => staffClient.maintenance.start.mutate(input), announcement)) setOpen(false);
  };
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={title}
        description={text}
        action={action}
        verb={verb}
        working="Starting…"
        isDanger
        onSubmit={submit}
      >
        <SelectField label="Ends" name="minutes" defaultValue="" fault={action.faultOf("minutes")}>
          {lengths.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Note"
          name="note"
          maxLength={200}
          hint="Optional. Staff see it here and in the audit trail."
          fault={action.faultOf("note")}
        />
      </FormDialog>
    </>
  );
}
