import Link from "next/link";
import { type ComponentProps, useId } from "react";
import { classes } from "@/components/ui/classes";

export type ButtonLook = "primary" | "plain" | "danger" | "quiet";

const base =
  "inline-flex items-center justify-center gap-1.5 h-8 max-sm:h-9 px-3 rounded-md text-13 font-medium whitespace-nowrap select-none transition-colors disabled:opacity-50 aria-disabled:opacity-50 aria-disabled:pointer-events-none";
const looks: Record<ButtonLook, string> = {
  primary: "bg-accent text-on-accent hover:opacity-90",
  plain: "border bg-raised text-ink hover:bg-hover",
  danger: "border border-red text-red hover:bg-red hover:text-paper",
  quiet: "max-sm:px-2 text-faint hover:text-ink hover:bg-hover",
};

type Look = { look?: ButtonLook };

interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook;
  /** Why the button can't be used now: it is disabled, and says so beside itself. */
  reason?: string;
}

export function Button({ look = "plain", className, type = "button", reason, disabled, ...rest }: ButtonProps) {
  const id = useId();
  const described = reason && { "aria-describedby": id };
  const button = (
    <button
      type={type}
      className={classes(base, looks[look], className)}
      disabled={disabled || Boolean(reason)}
      {...described}
      {...rest}
    />
  );
  if (!reason) return button;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {button}
      <span id={id} className="text-12 text-faint">
        {reason}
      </span>
    </span>
  );
}

export function LinkButton({ look = "plain", className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link prefetch={false} className={classes(base, looks[look], className)} {...rest} />;
}
