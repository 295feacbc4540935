"use client";

import { useId, useState } from "react";
import { useNamedDialog } from "@/components/dashboard/address/named-dialog";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { ShownOnce } from "@/components/dashboard/shown-once";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Checkbox, TextField } from "@/components/ui/field";
import { SecretOnce } from "@/components/ui/secret-once";

interface Application {
  id: string;
  name: string;
}

interface InviteDeveloperProps {
  /** The applications to choose from. A single one is preselected. */
  applications: readonly Application[];
  look?: "primary" | "plain";
}

interface Made {
  email: string;
  link: string;
}

/** Invites somebody as a developer, and shows the link once. */
export function InviteDeveloper({ applications, look = "plain" }: InviteDeveloperProps) {
  const [isOpen, setOpen] = useNamedDialog("developer");
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
      <ShownOnce
        isOpen={made !== null}
        title={`Invitation for ${made?.email}`}
        description="Copy the link now: it won’t be shown again. Send it to this person only. It works once, and expires in 7 days."
        done="I’ve copied the link"
        onDone={finish}
      >
        <SecretOnce name="Invitation link" value={made?.link ?? ""} />
      </ShownOnce>
    </>
  );
}

interface InvitationFormProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  applications: readonly Application[];
  onInvited(made: Made): void;
  /** There is no link: a developer with this email already exists. */
  onDone(): void;
}

function InvitationForm({ isOpen, onOpenChange, applications, onInvited, onDone }: InvitationFormProps) {
  const action = useFormAction(["email", "applications"]);
  const [only] = applications.length === 1 ? applications : [];
  const submit = async (form: FormData) => {
    const email = String(form.get("email") ?? "").trim();
    const chosen = only ? [only.id] : form.getAll("application").map(String);
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
    <FormDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={only ? `Invite a developer to ${only.name}` : "Invite a developer"}
      description="You’ll get an invitation link to share. Existing developers get access immediately."
      action={action}
      verb="Invite"
      working="Inviting…"
      onSubmit={submit}
    >
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        hint="A new invitation replaces an earlier one to the same email."
        fault={action.faultOf("email")}
      />
      {!only && <Choices applications={applications} fault={action.faultOf("applications")} />}
    </FormDialog>
  );
}

function Choices({ applications, fault }: { applications: readonly Application[]; fault: string | null }) {
  const said = useId();
  const [hasChosen, setChosen] = useState(false);
  const shown = fault !== null && !hasChosen;
  const note = (fields: HTMLFieldSetElement) => setChosen(fields.querySelector(":checked") !== null);
  return (
    <fieldset className="grid gap-1" aria-describedby={said} onChange={(event) => note(event.currentTarget)}>
      <legend className="mb-1 text-13 font-medium">Applications</legend>
      <div className="max-h-48 overflow-auto rounded-md border px-2.5 py-1 max-sm:max-h-60">
        {applications.map(({ id, name }) => (
          <Checkbox key={id} name="application" value={id} label={<span className="wrap-anywhere">{name}</span>} />
        ))}
        {applications.length === 0 && <p className="py-1 text-13 text-faint">Register an application first.</p>}
      </div>
      <p id={said} className={shown ? "text-12 text-red" : "text-12 text-faint"}>
        {shown ? "Choose at least one application." : "They can access only these applications."}
      </p>
    </fieldset>
  );
}
