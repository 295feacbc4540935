"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { ApplicationFields, settingsIn } from "@/components/dashboard/applications/application-fields";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { redirectUriRule } from "@/components/dashboard/applications/words";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { TextArea } from "@/components/ui/field";
import { SecretOnce } from "@/components/ui/secret-once";
import type { NewApplication } from "@/server/services/staff/applications/shapes";

/** Registers an application and shows its secret, this once. */
export function RegisterApplication() {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<NewApplication | null>(null);
  const router = useRouter();
  const change = (toOpen: boolean) => {
    // A slip of the mouse or Escape must not lose the secret.
    if (!made) setOpen(toOpen);
  };
  const finish = () => {
    setOpen(false);
    setMade(null);
    router.push(applicationPath(made?.id ?? ""));
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Register application…
      </Button>
      {made ? (
        <Made made={made} isOpen={isOpen} onOpenChange={change} onDone={finish} />
      ) : (
        <Registration isOpen={isOpen} onOpenChange={change} onMade={setMade} />
      )}
    </>
  );
}

interface Opening {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

const blank = { name: "", plan: "standard", compatibilityMode: false } as const;

function Registration({ isOpen, onOpenChange, onMade }: Opening & { onMade(made: NewApplication): void }) {
  const form = useId();
  const action = useFormAction(["name", "redirectUris"]);
  const change = (toOpen: boolean) => {
    action.reset();
    onOpenChange(toOpen);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = new FormData(event.currentTarget);
    const lines = String(filled.get("redirectUris") ?? "").split("\n");
    const redirectUris = lines.map((line) => line.trim()).filter(Boolean);
    const input = { ...settingsIn(filled), redirectUris };
    await action.run(async () => onMade(await staffClient.applications.create.mutate(input)), "Application registered");
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={change}
      title="Register application"
      description="Almanac generates a client ID and a client secret. The application can call the API right away."
      actions={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" form={form} look="primary" disabled={action.isBusy}>
            {action.isBusy ? "Registering…" : "Register"}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="grid gap-4">
        <ApplicationFields settings={blank} action={action} />
        <TextArea
          label="Redirect URIs, one per line"
          name="redirectUris"
          rows={3}
          placeholder="https://app.acme.com/oauth/callback"
          hint={`Where users return to after connecting. ${redirectUriRule}`}
          fault={action.faultOf("redirectUris", "Redirect URI")}
        />
        <Fault>{action.otherFault}</Fault>
      </form>
    </Dialog>
  );
}

function Made({ made, isOpen, onOpenChange, onDone }: Opening & { made: NewApplication; onDone(): void }) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Application registered"
      description="Copy the client secret now: it won’t be shown again. Store it with the application’s other secrets."
      actions={
        <Button look="primary" onClick={onDone}>
          I’ve stored the secret
        </Button>
      }
    >
      <SecretOnce name="Client ID" value={made.clientId} />
      <SecretOnce name="Client secret" value={made.clientSecret} />
    </Dialog>
  );
}
