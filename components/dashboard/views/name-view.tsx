"use client";

import { FormDialog } from "@/components/dashboard/form-dialog";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { TextField } from "@/components/ui/field";
import { MAX_VIEW_NAME } from "@/server/services/staff/views/limits";

interface NameViewProps<Done> {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  description: string;
  /** Its name until now. */
  name?: string;
  work(name: string): Promise<Done>;
  announcement: string;
  onDone?(done: Done): void;
}

/** Asks for the name of a view. */
export function NameView<Done>(props: NameViewProps<Done>) {
  const { isOpen, onOpenChange, title, description, name, work, announcement, onDone } = props;
  const action = useFormAction(["name"]);
  const submit = async (form: FormData) => {
    let done: { value: Done } | null = null;
    const working = async () => {
      done = { value: await work(String(form.get("name"))) };
      return done;
    };
    if (!(await action.run(working, announcement))) return;
    onOpenChange(false);
    if (done) onDone?.((done as { value: Done }).value);
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      action={action}
      verb="Save"
      working="Saving…"
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        required
        maxLength={MAX_VIEW_NAME}
        placeholder="Failed at Acme"
        defaultValue={name}
        fault={action.faultOf("name")}
      />
    </FormDialog>
  );
}
