import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "@/components/ui/classes";

const inputLook =
  "w-full min-w-0 h-8 max-sm:h-10 rounded-md border border-edge bg-raised px-2.5 text-13 max-sm:text-16 text-ink placeholder:text-faint";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The error of what was typed. */
  fault?: ReactNode;
}

/** Shows a label, a control and its hint or error. */
export function TextField({ label, hint, fault, className, ...input }: FieldProps & ComponentProps<"input">) {
  return (
    <Labelled label={label} hint={hint} fault={fault} className={className}>
      {(wired) => <input {...wired} autoComplete="off" spellCheck={false} className={inputLook} {...input} />}
    </Labelled>
  );
}

/** Shows the system's own list, with a label. */
export function SelectField({ label, hint, fault, className, ...select }: FieldProps & ComponentProps<"select">) {
  return (
    <Labelled label={label} hint={hint} fault={fault} className={className}>
      {(wired) => <select {...wired} className={inputLook} {...select} />}
    </Labelled>
  );
}

/** Shows a text area with a label, in mono unless people write sentences there. */
export function TextArea({
  label,
  hint,
  fault,
  className,
  isProse = false,
  ...area
}: FieldProps & ComponentProps<"textarea"> & { isProse?: boolean }) {
  const look = classes(inputLook, "h-auto max-sm:h-auto py-1.5", !isProse && "font-mono");
  return (
    <Labelled label={label} hint={hint} fault={fault} className={className}>
      {(wired) => <textarea {...wired} spellCheck={isProse} className={look} {...area} />}
    </Labelled>
  );
}

/** Shows a checkbox. The whole line can be clicked. */
export function Checkbox({ label, ...input }: { label: ReactNode } & ComponentProps<"input">) {
  return (
    <label className="flex min-h-7 max-sm:min-h-10 items-center gap-2 text-13">
      <input type={input.type ?? "checkbox"} className="size-4 shrink-0 accent-accent" {...input} />
      {label}
    </label>
  );
}

/** The attributes that tie a control to its label, its hint and its error. */
interface Wired {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

function Labelled({
  label,
  hint,
  fault,
  className,
  children,
}: FieldProps & { className?: string; children: (wired: Wired) => ReactNode }) {
  const id = useId();
  const about = hint || fault ? `${id}-about` : undefined;
  return (
    <div className={classes("grid grid-cols-1 gap-1", className)}>
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": about, "aria-invalid": fault ? true : undefined })}
      <About id={about} hint={hint} fault={fault} />
    </div>
  );
}

function About({ id, hint, fault }: { id?: string; hint?: ReactNode; fault?: ReactNode }) {
  if (!id) return null;
  return (
    <p id={id} className={classes("text-12", fault ? "text-red" : "text-faint")}>
      {fault ?? hint}
    </p>
  );
}
