"use client";

import { type FormEvent, useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { TextField } from "@/components/ui/field";

export function ChangePassword() {
  const [isUnlike, setUnlike] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const action = useFormAction(["current", "next"]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const filled = new FormData(form);
    const typed = (name: string) => String(filled.get(name) ?? "");
    setDone(null);
    setUnlike(typed("next") !== typed("again"));
    if (typed("next") !== typed("again")) return;
    const input = { current: typed("current"), next: typed("next") };
    const isDone = await action.run(async () => {
      const { sessionsEnded } = await staffClient.session.changePassword.mutate(input);
      setDone(ended(sessionsEnded));
    }, "Password changed");
    if (isDone) form.reset();
  };
  return (
    <form noValidate onSubmit={submit} className="grid max-w-96 justify-items-stretch gap-4">
      <TextField
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
        fault={action.faultOf("current")}
      />
      <TextField
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 12 characters."
        fault={action.faultOf("next")}
      />
      <TextField
        label="Confirm new password"
        name="again"
        type="password"
        autoComplete="new-password"
        required
        fault={isUnlike ? "The passwords don’t match." : null}
      />
      <Fault>{action.otherFault}</Fault>
      {done && <p className="text-13">{done}</p>}
      <Button type="submit" look="primary" className="justify-self-start" disabled={action.isBusy}>
        {action.isBusy ? "Changing…" : "Change password"}
      </Button>
    </form>
  );
}

function ended(sessions: number): string {
  if (sessions === 0) return "Password changed.";
  return `Password changed. ${sessions === 1 ? "Your other session was" : `Your ${sessions} other sessions were`} ended.`;
}
