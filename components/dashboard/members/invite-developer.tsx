"use client";

import { type FormEvent, useId, useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { Checkbox, TextField } from "@/components/ui/field";
import { SecretOnce } from "@/components/ui/secret-once";

interface Application {
  id: string;
  name: string;
}

interface InviteDeveloperProps {
  /** Those that can be chosen; one alone is chosen. */
  applications: readonly Application[];
  look?: "primary" | "plain";
}

interface Made {
  email: string;
  link: string;
}

/** Invites somebody as a developer; the link is shown this once. */
export function InviteDeveloper({ applications, look = "plain" }: InviteDeveloperProps) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const finish = () => {
    setOpen(false);
    setMade(null);
  };
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        Invite developer…
      </Button>
      <InvitationForm
        isOpen={isOpen && made === null}
        onOpenChange={setOpen}
        applications={applications}
        onInvited={setMade}
        onDone={finish}
      />
      <Dialog
        isOpen={made !== null}
        onOpenChange={() => undefined}
        title={`Invitation for ${made?.email}`}
        description="Copy the link now: it won’t be shown again. Send it to this person only. It works once, and expires in 7 days."
        actions={
          <Button look="primary" onClick={finish}>
            I’ve copied the link
          </Button>
        }
      >
        <SecretOnce name="Invitation link" value={made?.link ?? ""} />
      </Dialog>
    </>
  );
}

interface InvitationFormProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  applications: readonly Application[];
  onInvited(made: Made): void;
  /** There is no link: somebody with this email is a developer already. */
  onDone(): void;
}

function InvitationForm({ isOpen, onOpenChange, applications, onInvited, onDone }: InvitationFormProps) {
  const form = useId();
  const action = useFormAction(["email", "applications"]);
  const [only] = applications.length === 1 ? applications : [];
  const change = (toOpen: boolean) => {
    action.reset();
    onOpenChange(toOpen);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = new FormData(event.currentTarget);
    const email = String(filled.get("email") ?? "").trim();
    const chosen = only ? [only.id] : filled.getAll("application").map(String);
    await action.run(
      async () => {
        const invited = await staffClient.invitations.create.mutate({ email, applications: chosen });
        if (invited.kind === "invited") onInvited({ email, link: invited.link });
        else onDone();
        return invited.kind;
      },
      (kind) => (kind === "invited" ? "Invitation created" : "Developer added"),
    );
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={change}
      title={only ? `Invite a developer to ${only.name}` : "Invite a developer"}
      description="You get a link to send them. Somebody who is already a developer is added right away."
      actions={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" form={form} look="primary" disabled={action.isBusy}>
            {action.isBusy ? "Inviting…" : "Invite"}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          hint="A new invitation replaces an earlier one to the same email."
          fault={action.faultOf("email")}
        />
        {!only && <Choices applications={applications} fault={action.faultOf("applications")} />}
        <Fault>{action.otherFault}</Fault>
      </form>
    </Dialog>
  );
}

function Choices({ applications, fault }: { applications: readonly Application[]; fault: string | null }) {
  const said = useId();
  return (
    <fieldset className="grid gap-1" aria-describedby={said}>
      <legend className="mb-1 text-13 font-medium">Applications</legend>
      <div className="max-h-48 overflow-auto rounded-md border px-2.5 py-1 max-sm:max-h-60">
        {applications.map(({ id, name }) => (
          <Checkbox key={id} name="application" value={id} label={<span className="wrap-anywhere">{name}</span>} />
        ))}
        {applications.length === 0 && <p className="py-1 text-13 text-faint">Register an application first.</p>}
      </div>
      <p id={said} className={fault ? "text-12 text-red" : "text-12 text-faint"}>
        {fault ? "Choose at least one application." : "They see these and no others."}
      </p>
    </fieldset>
  );
}
