"use client";

import { type ReactNode, useState } from "react";
import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { KeyFields, keyFieldNames, keyIn } from "@/components/dashboard/organizations/key-fields";
import { ReachFields, reachFieldNames, reachIn } from "@/components/dashboard/organizations/reach-fields";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { counted } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import type { StaffDelegation, VerifiedMailbox } from "@/server/services/staff/organizations/shapes";

/** Offers what an administrator does with an organization. */
export function OrganizationActions({ delegation }: { delegation: StaffDelegation }) {
  const { id: delegationId, domains, profiles } = delegation;
  const name = domains[0] ?? delegationId;
  return (
    <>
      <Verify delegationId={delegationId} name={name} />
      <EditReach delegation={delegation} name={name} />
      <ReplaceKey delegation={delegation} name={name} />
      <ConfirmedAction
        label="Remove"
        name={`Remove ${name}`}
        look="quiet"
        title={`Remove ${name}?`}
        text={`${counted(profiles, "profile")} will be disconnected. Accounts and their events stay until the application revokes them.`}
        verb="Remove"
        isDanger
        announcement="Organization removed"
        work={() => staffClient.organizations.remove.mutate({ delegationId })}
      />
    </>
  );
}

function Verify({ delegationId, name }: { delegationId: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [verified, setVerified] = useState<VerifiedMailbox | null>(null);
  const action = useFormAction(["email"]);
  const open = (toOpen: boolean) => {
    setVerified(null);
    setOpen(toOpen);
  };
  const verify = async (form: FormData) => {
    setVerified(null);
    const email = String(form.get("email") ?? "").trim();
    await action.run(async () => {
      setVerified(await staffClient.organizations.verify.mutate({ delegationId, email }));
    }, "Mailbox checked");
  };
  return (
    <>
      <Button look="quiet" aria-label={`Verify ${name}`} onClick={() => open(true)}>
        Verify
      </Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={open}
        title={`Verify ${name}`}
        description="Opens one mailbox to check access. Nothing is stored."
        action={action}
        verb="Verify"
        working="Opening…"
        onSubmit={verify}
      >
        <TextField
          label="Mailbox"
          name="email"
          type="email"
          required
          autoComplete="off"
          hint="A user or a room of the organization."
          fault={action.faultOf("email")}
        />
        <div role="status">{verified && <Verified verified={verified} />}</div>
      </FormDialog>
    </>
  );
}

function Verified({ verified }: { verified: VerifiedMailbox }): ReactNode {
  if (verified.kind === "opened") {
    const { name, calendars, reconnected } = verified;
    return (
      <div className="grid gap-1 text-13">
        <State tone="good">Opened {name}</State>
        <p>
          {counted(calendars, "calendar")}.{reconnected > 0 && ` ${counted(reconnected, "profile")} reconnected.`}
        </p>
      </div>
    );
  }
  return (
    <div className="grid gap-1 text-13">
      <State tone="bad">Not opened</State>
      <p className="wrap-anywhere">{verified.missing}</p>
      {verified.detail !== null && (
        <p className="wrap-anywhere text-12 text-faint">
          The provider said <code className="font-mono">{verified.detail}</code>.
        </p>
      )}
    </div>
  );
}

function EditReach({ delegation, name }: { delegation: StaffDelegation; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const action = useFormAction(reachFieldNames);
  const save = async (form: FormData) => {
    const input = { delegationId: delegation.id, ...reachIn(form) };
    const isDone = await action.run(() => staffClient.organizations.setReach.mutate(input), "Access saved");
    if (isDone) setOpen(false);
  };
  return (
    <>
      <Button look="quiet" aria-label={`Edit access for ${name}`} onClick={() => setOpen(true)}>
        Edit access
      </Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`Edit access for ${name}`}
        description="Who the application can authorize from now on. Profiles already connected stay connected."
        action={action}
        verb="Save"
        working="Saving…"
        onSubmit={save}
      >
        <ReachFields action={action} reach={delegation} />
      </FormDialog>
    </>
  );
}

function ReplaceKey({
  delegation: { id: delegationId, provider },
  name,
}: {
  delegation: StaffDelegation;
  name: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const action = useFormAction(keyFieldNames);
  const replace = async (form: FormData) => {
    const input = { delegationId, ...keyIn(form, provider) };
    const isDone = await action.run(() => staffClient.organizations.replaceKey.mutate(input), "Key replaced");
    if (isDone) setOpen(false);
  };
  return (
    <>
      <Button look="quiet" aria-label={`Replace the key of ${name}`} onClick={() => setOpen(true)}>
        Replace key
      </Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`Replace the key of ${name}`}
        description="Profiles stay connected. Any that were disconnected because the old key was withdrawn reconnect."
        action={action}
        verb="Replace key"
        working="Replacing…"
        onSubmit={replace}
      >
        <KeyFields provider={provider} action={action} />
      </FormDialog>
    </>
  );
}
