import type { ReactNode } from "react";

/** Shows why an action failed, next to it. Renders nothing without an error. */
export function Fault({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p role="alert" className="w-full text-13 text-red">
      {children}
    </p>
  );
}
