"use client";

import { useState } from "react";
import { isSecretActive, secretState } from "@/components/dashboard/applications/secret-state";
import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { ShownOnce } from "@/components/dashboard/shown-once";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { SecretOnce } from "@/components/ui/secret-once";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { ApplicationSecret } from "@/server/services/staff/applications/shapes";

const MOST_ACTIVE = 2;

interface ClientSecretsProps {
  /** The application's id. */
  id: string;
  secrets: readonly ApplicationSecret[];
  /** It needs none. */
  isPublic: boolean;
  isOwner: boolean;
  now: number;
}

/** Lists the secrets that an application authenticates with and that sign its notifications. */
export function ClientSecrets({ id, secrets, isPublic, isOwner, now }: ClientSecretsProps) {
  const active = secrets.filter((secret) => isSecretActive(secret, now)).length;
  return (
    <>
      {isOwner && <AddSecret id={id} isFull={active >= MOST_ACTIVE} />}
      {isPublic && active === 0 && <p className="text-13 text-faint">A public client needs no secret.</p>}
      <Lines>
        {secrets.map((secret) => (
          <Line
            key={secret.id}
            actions={
              isOwner &&
              isSecretActive(secret, now) &&
              (active > 1 || isPublic) && <RetireSecret id={id} secret={secret} now={now} />
            }
          >
            <span className="flex flex-wrap items-center gap-x-3">
              <span className="font-mono text-12">••••{secret.lastFour}</span>
              <State tone={states[secretState(secret, now)].tone}>{states[secretState(secret, now)].word}</State>
            </span>
            <Dates secret={secret} now={now} />
          </Line>
        ))}
      </Lines>
    </>
  );
}

const states = {
  active: { tone: "good", word: "Active" },
  expiring: { tone: "wait", word: "Expires soon" },
  expired: { tone: "off", word: "Expired" },
  retired: { tone: "off", word: "Retired" },
} as const;

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
      {secret.expiresAt && !secret.retiredAt && (
        <span>
          {isSecretActive(secret, now) ? "expires" : "expired"} <Time at={secret.expiresAt} now={now} />
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

/** In days. */
const lifetimes = [30, 90, 365] as const;

function AddSecret({ id, isFull }: { id: string; isFull: boolean }) {
  const [made, setMade] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const action = useFormAction(["password", "days"]);
  const add = async (form: FormData) => {
    const password = String(form.get("password") ?? "") || undefined;
    const days = lifetimes.find((lifetime) => String(lifetime) === form.get("days"));
    const isDone = await action.run(
      async () => setMade((await staffClient.applications.addSecret.mutate({ id, password, days })).secret),
      "Client secret added",
    );
    if (isDone) setAsking(false);
  };
  return (
    <div className="mb-3 grid justify-items-start gap-1">
      <Button onClick={() => setAsking(true)} disabled={isFull}>
        Add client secret
      </Button>
      <FormDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Add client secret"
        description="A client secret gives access to every account of this application. Enter your password to continue."
        action={action}
        verb="Add secret"
        working="Adding…"
        onSubmit={add}
      >
        <SelectField
          label="Expires"
          name="days"
          defaultValue=""
          hint="After it expires, it’s rejected and no longer signs webhooks. Add a new one before then."
          fault={action.faultOf("days")}
        >
          <option value="">Never</option>
          {lifetimes.map((days) => (
            <option key={days} value={days}>
              After {days} days
            </option>
          ))}
        </SelectField>
        <TextField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="Leave empty if you sign in with single sign-on."
          fault={action.faultOf("password")}
        />
      </FormDialog>
      <p className="text-12 text-faint">
        {isFull
          ? "Two secrets are active and both work. Retire the old one once the application uses the new one."
          : "To rotate: add a new secret, switch the application to it, then retire the old one."}
      </p>
      <ShownOnce
        isOpen={made !== null}
        title="New client secret"
        description="Copy it now: it won’t be shown again. Store it with the application’s other secrets. The current secret keeps working until you retire it, and webhooks are signed with both."
        done="I’ve stored the secret"
        onDone={() => setMade(null)}
      >
        <SecretOnce name="Client secret" value={made ?? ""} />
      </ShownOnce>
    </div>
  );
}

function RetireSecret({ id, secret, now }: { id: string; secret: ApplicationSecret; now: number }) {
  return (
    <ConfirmedAction
      label="Retire…"
      name={`Retire the client secret ending in ${secret.lastFour}`}
      title={`Retire the secret ending in ${secret.lastFour}?`}
      text={
        <>
          It stops working immediately and no longer signs webhooks. It was{" "}
          {secret.lastUsedAt ? <LastUse at={secret.lastUsedAt} now={now} /> : "never used"}. This can’t be undone.
        </>
      }
      verb="Retire"
      isDanger
      announcement="Client secret retired"
      work={() => staffClient.applications.retireSecret.mutate({ id, secretId: secret.id })}
    />
  );
}
