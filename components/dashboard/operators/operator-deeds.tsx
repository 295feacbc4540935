"use client";

import { useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useDeed } from "@/components/dashboard/use-deed";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Confirm, Dialog } from "@/components/ui/dialog";
import { SecretOnce } from "@/components/ui/secret-once";
import type { Role } from "@/server/services/staff/trpc";

interface Operator {
  id: string;
  name: string;
  role: Role;
  isDisabled: boolean;
  /** Whoever looks: their password is changed under My account. */
  isMe: boolean;
}

/** Another role, in and out, and a new password. */
export function OperatorDeeds({ operator }: { operator: Operator }) {
  const { id, name, role, isDisabled, isMe } = operator;
  const to: Role = role === "admin" ? "support" : "admin";
  return (
    <>
      <Asked
        label={to === "admin" ? "Make admin …" : "Make support …"}
        title={to === "admin" ? `Make ${name} an admin?` : `Make ${name} one of support?`}
        text={
          to === "admin"
            ? "They may then register applications, revoke accounts and add operators. It holds from their next click on."
            : "They may then read, retry and sync, and change nothing else. It holds from their next click on."
        }
        verb={to === "admin" ? "Make admin" : "Make support"}
        said="The role is changed"
        work={() => staffClient.operators.setRole.mutate({ id, role: to })}
      />
      {!isMe && <ResetPassword id={id} name={name} />}
      {isDisabled ? (
        <Asked
          label="Enable …"
          title={`Enable ${name}?`}
          text="They may sign in again, with the role and the password that they had."
          verb="Enable"
          said="The operator is enabled"
          work={() => staffClient.operators.enable.mutate({ id })}
        />
      ) : (
        <Asked
          label="Disable …"
          look="danger"
          title={`Disable ${name}?`}
          text="They cannot sign in any more, and all their sessions end now. What they did stays in the audit trail."
          verb="Disable"
          said="The operator is disabled"
          work={() => staffClient.operators.disable.mutate({ id })}
        />
      )}
    </>
  );
}

interface AskedProps {
  label: string;
  look?: ButtonLook;
  title: string;
  text: string;
  verb: string;
  said: string;
  work(): Promise<unknown>;
}

/** A button that asks first. */
function Asked({ label, look, title, text, verb, said, work }: AskedProps) {
  const [isOpen, setOpen] = useState(false);
  const deed = useDeed();
  const change = (toOpen: boolean) => {
    deed.reset();
    setOpen(toOpen);
  };
  const confirm = async () => {
    if (await deed.run(work, said)) setOpen(false);
  };
  return (
    <>
      <Button look={look} onClick={() => change(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isOpen}
        onOpenChange={change}
        title={title}
        text={text}
        verb={verb}
        isDanger={look === "danger"}
        isBusy={deed.isBusy}
        fault={deed.fault}
        onConfirm={confirm}
      />
    </>
  );
}

function ResetPassword({ id, name }: { id: string; name: string }) {
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      <Asked
        label="Reset password …"
        title={`Reset the password of ${name}?`}
        text="A new one is made and shown this once; the old one is refused from now on, and their sessions end."
        verb="Reset password"
        said="The password is reset"
        work={async () => setMade((await staffClient.operators.resetPassword.mutate({ id })).password)}
      />
      <Dialog
        isOpen={made !== null}
        onOpenChange={() => undefined}
        title={`The new password of ${name}`}
        description="This is the only time that it is shown. Hand it over in person or by telephone, and ask them to change it."
        actions={
          <Button look="primary" onClick={() => setMade(null)}>
            I have passed it on
          </Button>
        }
      >
        <SecretOnce name="Password" value={made ?? ""} />
      </Dialog>
    </>
  );
}
