"use client";

import { useState } from "react";
import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { Time } from "@/components/ui/time";
import type { ApplicationDetail } from "@/server/services/staff/applications/shapes";

type Client = ApplicationDetail["oauthClients"][number];

/** Microsoft's app registration is for both kinds of accounts. */
const providers = [
  { provider: "google", name: "Google" },
  { provider: "microsoft", name: "Microsoft" },
] as const;

interface OauthClientsProps {
  /** The application's id. */
  id: string;
  clients: readonly Client[];
  isAdmin: boolean;
  now: number;
}

/** Shows by which OAuth clients users of an application sign in at Google and Microsoft. */
export function OauthClients({ id, clients, isAdmin, now }: OauthClientsProps) {
  return (
    <>
      <p className="mb-3 max-w-prose text-13 text-faint">
        With its own client, users of this application consent to that client, and its requests count against its own
        quota.
      </p>
      <Lines>
        {providers.map(({ provider, name }) => {
          const client = clients.find((one) => one.provider === provider);
          return (
            <Line key={provider} actions={isAdmin && <Actions {...{ id, provider, name, client }} />}>
              <span className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium">{name}</span>
                {client ? (
                  <span className="font-mono text-12 wrap-anywhere">{client.clientId}</span>
                ) : (
                  <span className="text-faint">This installation’s client</span>
                )}
              </span>
              {client && (
                <Aside>
                  <span>
                    added <Time at={client.createdAt} now={now} />
                  </span>
                </Aside>
              )}
            </Line>
          );
        })}
      </Lines>
    </>
  );
}

interface ActionsProps {
  id: string;
  provider: Client["provider"];
  name: string;
  client: Client | undefined;
}

function Actions({ id, provider, name, client }: ActionsProps) {
  return (
    <span className="flex flex-wrap gap-2">
      <SetClient {...{ id, provider, name, client }} />
      {client && (
        <ConfirmedAction
          label="Remove"
          name={`Remove ${name} client`}
          look="quiet"
          title={`Remove the ${name} client?`}
          text="Users sign in with this installation’s client again. Calendars connected with the removed client stay connected until their users reconnect, so keep it at the provider."
          verb="Remove"
          isDanger
          announcement="OAuth client removed"
          work={() => staffClient.applications.removeOauthClient.mutate({ id, provider })}
        />
      )}
    </span>
  );
}

function SetClient({ id, provider, name, client }: ActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const action = useFormAction(["clientId", "clientSecret"]);
  const label = client ? "Edit" : "Set client";
  const set = async (form: FormData) => {
    const field = (key: string) => String(form.get(key) ?? "").trim();
    const input = { id, provider, clientId: field("clientId"), clientSecret: field("clientSecret") };
    const isDone = await action.run(() => staffClient.applications.setOauthClient.mutate(input), "OAuth client set");
    if (isDone) setOpen(false);
  };
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)} aria-label={`${label}: ${name}`}>
        {label}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`${name} client`}
        description="Users who connect from now on consent to this client. Calendars that are already connected stay with the client they were connected with."
        action={action}
        verb="Save client"
        working="Checking…"
        onSubmit={set}
      >
        <TextField
          label="Client ID"
          name="clientId"
          required
          autoComplete="off"
          defaultValue={client?.clientId}
          hint="The client needs the redirect URI and the permissions that the setup guide lists."
          fault={action.faultOf("clientId")}
        />
        <TextField
          label="Client secret"
          name="clientSecret"
          type="password"
          required
          autoComplete="off"
          hint={`Stored encrypted, once ${name} has accepted it.`}
          fault={action.faultOf("clientSecret")}
        />
      </FormDialog>
    </>
  );
}
