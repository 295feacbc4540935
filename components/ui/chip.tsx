import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

export const chipLook =
  "inline-flex items-center gap-1 h-7 max-sm:h-9 px-2.5 rounded-full border text-13 whitespace-nowrap transition-colors shrink-0";
export const chipSet = "border-accent bg-picked text-ink";
const chipUnset = "border-hairline text-faint hover:text-ink hover:border-edge";

/** Shows a small rounded button, solid if it stands for something that is set. */
export function Chip({ isSet = false, className, ...rest }: ComponentProps<"button"> & { isSet?: boolean }) {
  return <button type="button" className={classes(chipLook, isSet ? chipSet : chipUnset, className)} {...rest} />;
}

/** Shows a word in a frame: what a thing is, not its state. */
export function Tag({ children }: { children: React.ReactNode }) {
  return <span className="inline-flex h-5 items-center rounded-sm border px-1.5 text-12 text-faint">{children}</span>;
}
