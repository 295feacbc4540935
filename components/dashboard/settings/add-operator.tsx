"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { narrowed } from "@/components/dashboard/address/paths";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { TEAM } from "@/components/dashboard/settings/links";
import { roleHint } from "@/components/dashboard/settings/words";
import { ShownOnce } from "@/components/dashboard/shown-once";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { SecretOnce } from "@/components/ui/secret-once";

interface Added {
  id: string;
  email: string;
  password: string;
}

/** Adds an operator, and shows a generated password once. */
export function AddOperator() {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<Added | null>(null);
  const router = useRouter();
  const finish = (id: string) => {
    setOpen(false);
    setAdded(null);
    router.push(narrowed(TEAM, "open", id), { scroll: false });
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Add operator…
      </Button>
      <NewOperator isOpen={isOpen && added === null} onOpenChange={setOpen} onGenerated={setAdded} onDone={finish} />
      <ShownOnce
        isOpen={added !== null}
        title={`${added?.email} can sign in`}
        description="Copy the password now: it won’t be shown again. Share it in person or by phone, and ask them to change it."
        done="I’ve shared the password"
        onDone={() => finish(added?.id ?? "")}
      >
        <SecretOnce name="Password" value={added?.password ?? ""} />
      </ShownOnce>
    </>
  );
}

interface NewOperatorProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** There is a password to show. */
  onGenerated(added: Added): void;
  onDone(id: string): void;
}

function NewOperator({ isOpen, onOpenChange, onGenerated, onDone }: NewOperatorProps) {
  const action = useFormAction(["email", "name", "password"]);
  const submit = async (form: FormData) => {
    const input = operatorIn(form);
    await action.run(async () => {
      const { id, password } = await staffClient.operators.create.mutate(input);
      if (password === null) onDone(id);
      else onGenerated({ id, email: input.email, password });
    }, "Operator added");
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Add operator"
      description="They sign in with their email and a password, or with single sign-on using the same email."
      action={action}
      verb="Add operator"
      working="Adding…"
      onSubmit={submit}
    >
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
    </FormDialog>
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
