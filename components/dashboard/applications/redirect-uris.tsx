"use client";

import type { FormEvent } from "react";
import { redirectUriRule } from "@/components/dashboard/applications/words";
import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { Time } from "@/components/ui/time";
import type { ApplicationDetail } from "@/server/services/staff/applications/shapes";

interface RedirectUrisProps {
  /** The application's id. */
  id: string;
  uris: ApplicationDetail["redirectUris"];
  isOwner: boolean;
  now: number;
}

/** Lists the URIs where users return after connecting. */
export function RedirectUris({ id, uris, isOwner, now }: RedirectUrisProps) {
  return (
    <>
      {uris.length === 0 && (
        <p className="mb-2 text-13 text-faint">No redirect URIs. Users can’t connect a calendar until you add one.</p>
      )}
      {isOwner && <AddUri id={id} />}
      {uris.length > 0 && (
        <Lines>
          {uris.map(({ uri, createdAt }) => (
            <Line key={uri} actions={isOwner && <RemoveUri id={id} uri={uri} />}>
              <span className="font-mono text-12">{uri}</span>
              <Aside>
                <span>
                  added <Time at={createdAt} now={now} />
                </span>
              </Aside>
            </Line>
          ))}
        </Lines>
      )}
    </>
  );
}

function AddUri({ id }: { id: string }) {
  const action = useFormAction(["uri"]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const uri = String(new FormData(form).get("uri") ?? "").trim();
    const isDone = await action.run(
      () => staffClient.applications.addRedirectUri.mutate({ id, uri }),
      "Redirect URI added",
    );
    if (isDone) form.reset();
  };
  return (
    <form noValidate onSubmit={submit} className="mb-4 flex items-start gap-2">
      <TextField
        label="Add redirect URI"
        name="uri"
        inputMode="url"
        required
        placeholder="https://app.acme.io/callback"
        className="min-w-0 flex-1"
        hint={redirectUriRule}
        fault={action.faultOf("uri") ?? action.otherFault}
      />
      <Button type="submit" className="mt-6 max-sm:h-10" disabled={action.isBusy}>
        Add
      </Button>
    </form>
  );
}

function RemoveUri({ id, uri }: { id: string; uri: string }) {
  return (
    <ConfirmedAction
      label="Remove"
      name={`Remove ${uri}`}
      look="quiet"
      title="Remove this redirect URI?"
      text={`Authorization requests with ${uri} will be rejected. Connected accounts aren’t affected.`}
      verb="Remove"
      isDanger
      announcement="Redirect URI removed"
      work={() => staffClient.applications.removeRedirectUri.mutate({ id, uri })}
    />
  );
}
