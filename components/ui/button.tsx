import Link from "next/link";
import type { ComponentProps } from "react";
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

export function Button({ look = "plain", className, type = "button", ...rest }: ComponentProps<"button"> & Look) {
  return <button type={type} className={classes(base, looks[look], className)} {...rest} />;
}

export function LinkButton({ look = "plain", className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link prefetch={false} className={classes(base, looks[look], className)} {...rest} />;
}
