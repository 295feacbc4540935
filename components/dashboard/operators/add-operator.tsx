"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { narrowed } from "@/components/dashboard/address/narrowed";
import { OPERATORS } from "@/components/dashboard/operators/links";
import { roleHint } from "@/components/dashboard/operators/words";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { SelectField, TextField } from "@/components/ui/field";
import { SecretOnce } from "@/components/ui/secret-once";

interface Added {
  id: string;
  email: string;
  password: string;
}

/** Adds an operator; a generated password is shown this once. */
export function AddOperator() {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<Added | null>(null);
  const router = useRouter();
  const finish = (id: string) => {
    setOpen(false);
    setAdded(null);
    router.push(narrowed(OPERATORS, "open", id), { scroll: false });
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Add operator…
      </Button>
      <NewOperator isOpen={isOpen && added === null} onOpenChange={setOpen} onGenerated={setAdded} onDone={finish} />
      <Dialog
        isOpen={added !== null}
        onOpenChange={() => undefined}
        title={`${added?.email} can sign in`}
        description="Copy the password now: it won’t be shown again. Share it in person or by phone, and ask them to change it."
        actions={
          <Button look="primary" onClick={() => finish(added?.id ?? "")}>
            I’ve shared the password
          </Button>
        }
      >
        <SecretOnce name="Password" value={added?.password ?? ""} />
      </Dialog>
    </>
  );
}

interface NewOperatorProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** There is a password to be shown. */
  onGenerated(added: Added): void;
  onDone(id: string): void;
}

function NewOperator({ isOpen, onOpenChange, onGenerated, onDone }: NewOperatorProps) {
  const form = useId();
  const action = useFormAction(["email", "name", "password"]);
  const change = (toOpen: boolean) => {
    action.reset();
    onOpenChange(toOpen);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = operatorIn(new FormData(event.currentTarget));
    await action.run(async () => {
      const { id, password } = await staffClient.operators.create.mutate(input);
      if (password === null) onDone(id);
      else onGenerated({ id, email: input.email, password });
    }, "Operator added");
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={change}
      title="Add operator"
      description="They sign in with their email and a password, or with single sign-on using the same email."
      actions={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" form={form} look="primary" disabled={action.isBusy}>
            {action.isBusy ? "Adding…" : "Add operator"}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="grid gap-4">
        <TextField label="Name" name="name" required fault={action.faultOf("name")} />
        <TextField label="Email" name="email" type="email" required fault={action.faultOf("email")} />
        <SelectField label="Role" name="role" defaultValue="support" hint={roleHint}>
          <option value="support">Support</option>
          <option value="admin">Admin</option>
        </SelectField>
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="Leave empty to generate one. It’s shown once."
          fault={action.faultOf("password")}
        />
        <Fault>{action.otherFault}</Fault>
      </form>
    </Dialog>
  );
}

function operatorIn(form: FormData) {
  const typed = (name: string) => String(form.get(name) ?? "");
  return {
    name: typed("name").trim(),
    email: typed("email").trim(),
    role: form.get("role") === "admin" ? ("admin" as const) : ("support" as const),
    password: typed("password") || undefined,
  };
}
