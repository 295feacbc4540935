"use client";

import { useState } from "react";
import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/field";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { Time } from "@/components/ui/time";
import type { ApplicationDetail } from "@/server/services/staff/applications/shapes";

type Server = ApplicationDetail["caldavServers"][number];

interface CaldavServersProps {
  /** The application's id. */
  id: string;
  servers: readonly Server[];
  isAdmin: boolean;
  now: number;
}

/** Lists the servers that the connect page of an application offers beside iCloud. */
export function CaldavServers({ id, servers, isAdmin, now }: CaldavServersProps) {
  return (
    <>
      <p className="mb-3 text-13 text-faint">
        {servers.length === 0
          ? "No CalDAV servers. Add one, such as your company’s Nextcloud, and users can choose it on the connect page."
          : "Users can choose these on the connect page."}
      </p>
      {isAdmin && <AddServer id={id} />}
      {servers.length > 0 && (
        <Lines>
          {servers.map((server) => (
            <Line key={server.id} actions={isAdmin && <RemoveServer id={id} server={server} />}>
              <span className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium">{server.name}</span>
                <span className="break-all font-mono text-12">{server.url}</span>
              </span>
              {server.help !== null && <p className="mt-1 whitespace-pre-line text-12 text-faint">{server.help}</p>}
              <Aside>
                <Id id={server.id} />
                <span>
                  added <Time at={server.createdAt} now={now} />
                </span>
              </Aside>
            </Line>
          ))}
        </Lines>
      )}
    </>
  );
}

function AddServer({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const action = useFormAction(["name", "url", "help"]);
  const add = async (form: FormData) => {
    const field = (name: string) => String(form.get(name) ?? "").trim();
    const input = { id, name: field("name"), url: field("url"), help: field("help") };
    const isDone = await action.run(
      () => staffClient.applications.addCaldavServer.mutate(input),
      "CalDAV server added",
    );
    if (isDone) setOpen(false);
  };
  return (
    <div className="mb-3">
      <Button onClick={() => setOpen(true)}>Add CalDAV server</Button>
      <FormDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="Add CalDAV server"
        description="Users of this application can connect calendars on it with a username and password."
        action={action}
        verb="Add server"
        working="Adding…"
        onSubmit={add}
      >
        <TextField
          label="Name"
          name="name"
          required
          maxLength={60}
          placeholder="Acme Cloud"
          hint="Shown to users on the connect page."
          fault={action.faultOf("name")}
        />
        <TextField
          label="URL"
          name="url"
          inputMode="url"
          required
          placeholder="https://cloud.acme.com/remote.php/dav/"
          hint="Where the server’s CalDAV service begins. If you only know its host, use that."
          fault={action.faultOf("url")}
        />
        <TextArea
          label="Help text"
          name="help"
          rows={3}
          maxLength={500}
          hint="Optional. Shown above the sign-in form, for example where to create an app password."
          fault={action.faultOf("help")}
        />
      </FormDialog>
    </div>
  );
}

function RemoveServer({ id, server }: { id: string; server: Server }) {
  return (
    <ConfirmedAction
      label="Remove"
      name={`Remove ${server.name}`}
      look="quiet"
      title={`Remove ${server.name}?`}
      text="Users can no longer choose it on the connect page. Calendars already connected stay connected."
      verb="Remove"
      isDanger
      announcement="CalDAV server removed"
      work={() => staffClient.applications.removeCaldavServer.mutate({ id, serverId: server.id })}
    />
  );
}
