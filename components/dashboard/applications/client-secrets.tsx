"use client";

import { type FormEvent, useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Confirm, Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { TextField } from "@/components/ui/field";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { SecretOnce } from "@/components/ui/secret-once";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { ApplicationSecret } from "@/server/services/staff/applications/shapes";

const MOST_ACTIVE = 2;

interface ClientSecretsProps {
  /** Of the application. */
  id: string;
  secrets: readonly ApplicationSecret[];
  isOwner: boolean;
  now: number;
}

/** What an application authenticates with, and what its notifications are signed with. */
export function ClientSecrets({ id, secrets, isOwner, now }: ClientSecretsProps) {
  const active = secrets.filter(({ retiredAt }) => retiredAt === null).length;
  return (
    <>
      {isOwner && <AddSecret id={id} isFull={active >= MOST_ACTIVE} />}
      <Lines>
        {secrets.map((secret) => (
          <Line
            key={secret.id}
            actions={
              isOwner && secret.retiredAt === null && active > 1 && <RetireSecret id={id} secret={secret} now={now} />
            }
          >
            <span className="flex flex-wrap items-center gap-x-3">
              <span className="font-mono text-12">••••{secret.lastFour}</span>
              <State tone={secret.retiredAt ? "off" : "good"}>{secret.retiredAt ? "Retired" : "Active"}</State>
            </span>
            <Dates secret={secret} now={now} />
          </Line>
        ))}
      </Lines>
    </>
  );
}

function Dates({ secret, now }: { secret: ApplicationSecret; now: number }) {
  return (
    <Aside>
      <span>
        added <Time at={secret.createdAt} now={now} />
      </span>
      <span>{secret.lastUsedAt ? <LastUse at={secret.lastUsedAt} now={now} /> : "never used"}</span>
      {secret.retiredAt && (
        <span>
          retired <Time at={secret.retiredAt} now={now} />
        </span>
      )}
    </Aside>
  );
}

function LastUse({ at, now }: { at: string; now: number }) {
  return (
    <>
      last used <Time at={at} now={now} />
    </>
  );
}

function AddSecret({ id, isFull }: { id: string; isFull: boolean }) {
  const [made, setMade] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const action = useFormAction(["password"]);
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password") ?? "") || undefined;
    const isDone = await action.run(
      async () => setMade((await staffClient.applications.addSecret.mutate({ id, password })).secret),
      "Client secret added",
    );
    if (isDone) setAsking(false);
  };
  return (
    <div className="mb-3 grid justify-items-start gap-1">
      <Button onClick={() => setAsking(true)} disabled={isFull}>
        Add client secret
      </Button>
      <Dialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Add client secret"
        description="A client secret gives access to every account of this application. Enter your password to continue."
      >
        <form noValidate onSubmit={add} className="grid gap-4">
          <TextField
            label="Your password"
            name="password"
            type="password"
            autoComplete="current-password"
            hint="Leave empty if you sign in with single sign-on."
            fault={action.faultOf("password")}
          />
          <Fault>{action.otherFault}</Fault>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button type="submit" look="primary" disabled={action.isBusy}>
              {action.isBusy ? "Adding…" : "Add secret"}
            </Button>
          </div>
        </form>
      </Dialog>
      <p className="text-12 text-faint">
        {isFull
          ? "Two secrets are active and both work. Retire the old one once the application uses the new one."
          : "To rotate: add a new secret, switch the application to it, then retire the old one."}
      </p>
      <Dialog
        isOpen={made !== null}
        onOpenChange={() => undefined}
        title="New client secret"
        description="Copy it now: it won’t be shown again. Store it with the application’s other secrets. The current secret keeps working until you retire it, and notifications are signed with both."
        actions={
          <Button look="primary" onClick={() => setMade(null)}>
            I’ve stored the secret
          </Button>
        }
      >
        <SecretOnce name="Client secret" value={made ?? ""} />
      </Dialog>
    </div>
  );
}

function RetireSecret({ id, secret, now }: { id: string; secret: ApplicationSecret; now: number }) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const retire = async () => {
    const input = { id, secretId: secret.id };
    if (await action.run(() => staffClient.applications.retireSecret.mutate(input), "Client secret retired"))
      setOpen(false);
  };
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  return (
    <>
      <Button aria-label={`Retire the client secret ending in ${secret.lastFour}`} onClick={() => change(true)}>
        Retire…
      </Button>
      <Confirm
        isOpen={isOpen}
        onOpenChange={change}
        title={`Retire the secret ending in ${secret.lastFour}?`}
        text={
          <>
            It stops working immediately and no longer signs notifications. It was{" "}
            {secret.lastUsedAt ? <LastUse at={secret.lastUsedAt} now={now} /> : "never used"}. This can’t be undone.
          </>
        }
        verb="Retire"
        isDanger
        isBusy={action.isBusy}
        fault={action.fault}
        onConfirm={retire}
      />
    </>
  );
}
