"use client";

import type { FormEvent } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { TextArea } from "@/components/ui/field";
import { formatCount } from "@/components/ui/number";
import { MAX_NOTE } from "@/server/domain/text-limits";

/** Adds a note to an account. A note that was refused stays in the field. */
export function NoteForm({ accountId }: { accountId: string }) {
  const action = useFormAction(["text"]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get("text"));
    if (await action.run(() => staffClient.accounts.notes.add.mutate({ accountId, text }), "Note added")) form.reset();
  };
  return (
    <form noValidate onSubmit={submit} className="grid max-w-prose justify-items-start gap-2">
      <TextArea
        label="New note"
        name="text"
        rows={2}
        isProse
        hint={`Plain text, up to ${formatCount(MAX_NOTE)} characters. Everyone who can open this account sees it.`}
        fault={action.faultOf("text")}
        className="w-full"
      />
      <Button type="submit" disabled={action.isBusy}>
        {action.isBusy ? "Adding…" : "Add note"}
      </Button>
      <Fault>{action.otherFault}</Fault>
    </form>
  );
}
