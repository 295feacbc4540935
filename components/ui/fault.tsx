import type { ReactNode } from "react";

/** Why something was not done, beside what was to do it. Says nothing while there is nothing to say. */
export function Fault({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p role="alert" className="w-full text-13 text-red">
      {children}
    </p>
  );
}
