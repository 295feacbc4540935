"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useNamedDialog } from "@/components/dashboard/address/named-dialog";
import { ApplicationFields, settingsIn } from "@/components/dashboard/applications/application-fields";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { redirectUriRule } from "@/components/dashboard/applications/words";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { ShownOnce } from "@/components/dashboard/shown-once";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import { SecretOnce } from "@/components/ui/secret-once";
import type { ApplicationSettings, NewApplication } from "@/server/services/staff/applications/shapes";

const storeSecret =
  "Copy the client secret now: it won’t be shown again. Store it with the application’s other secrets.";
const noSecret = "A public client needs no secret. You can create one on its page.";

/** Registers an application and shows its secret once. */
export function RegisterApplication() {
  const [isOpen, setOpen] = useNamedDialog("application");
  const [made, setMade] = useState<NewApplication | null>(null);
  const router = useRouter();
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
      <Registration isOpen={isOpen && made === null} onOpenChange={setOpen} onMade={setMade} />
      <ShownOnce
        isOpen={made !== null}
        title="Application registered"
        description={made?.clientSecret === null ? noSecret : storeSecret}
        done={made?.clientSecret === null ? "Done" : "I’ve stored the secret"}
        onDone={finish}
      >
        <SecretOnce name="Client ID" value={made?.clientId ?? ""} />
        {made?.clientSecret !== null && <SecretOnce name="Client secret" value={made?.clientSecret ?? ""} />}
      </ShownOnce>
    </>
  );
}

interface RegistrationProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  onMade(made: NewApplication): void;
}

const blank: ApplicationSettings = {
  ...{ name: "", plan: "standard", compatibilityMode: false },
  ...{ editForeignEvents: false, mcpWrites: false, publicClient: false, connectSuccessPage: false },
};

function Registration({ isOpen, onOpenChange, onMade }: RegistrationProps) {
  const action = useFormAction(["name", "redirectUris"]);
  const submit = async (form: FormData) => {
    const lines = String(form.get("redirectUris") ?? "").split("\n");
    const redirectUris = lines.map((line) => line.trim()).filter(Boolean);
    const input = { ...settingsIn(form), redirectUris };
    await action.run(async () => onMade(await staffClient.applications.create.mutate(input)), "Application registered");
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Register application"
      description="Almanac generates a client ID and, unless it is a public client, a client secret. The application can call the API right away."
      action={action}
      verb="Register"
      working="Registering…"
      onSubmit={submit}
    >
      <ApplicationFields settings={blank} action={action} />
      <TextArea
        label="Redirect URIs, one per line"
        name="redirectUris"
        rows={3}
        placeholder="https://app.acme.io/callback"
        hint={`Where users return to after connecting. ${redirectUriRule}`}
        fault={action.faultOf("redirectUris", "Redirect URI")}
      />
    </FormDialog>
  );
}
