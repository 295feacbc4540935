import type { ReactNode } from "react";
import type { Connectable } from "@/server/domain/providers";

const pictures: Record<Connectable, ReactNode> = {
  // A calendar sheet.
  google: (
    <>
      <path d="M6 6h12a1.5 1.5 0 0 1 1.5 1.5v11a1.5 1.5 0 0 1-1.5 1.5H6a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 6 6zM8.5 3.5V7M15.5 3.5V7" />
      <path d="M8.5 13h0M12 13h0M15.5 13h0M8.5 16.5h0M12 16.5h0" strokeWidth={2.2} />
      <path d="M4.5 6.5h15v3.5h-15z" fill="currentColor" stroke="none" opacity={0.35} />
    </>
  ),
  // An office.
  microsoft: <path d="M5 20V4.5h9V20M14 9.5h5V20M3 20h18M8 8h3M8 11.5h3M8 15h3M16.5 13v0M16.5 16v0" />,
  // An envelope.
  outlook: <path d="M3.5 6h17v12.5h-17zM3.5 7l8.5 6.5L20.5 7" />,
  // A cloud.
  icloud: <path d="M7 18.5a4 4 0 0 1-.6-7.95 5.5 5.5 0 0 1 10.7-1.2A4.6 4.6 0 0 1 17 18.5z" />,
  // A server.
  caldav: <path d="M4.5 5h15v6h-15zM4.5 13h15v6h-15zM8 8v0M8 16v0M11 8h5M11 16h5" />,
};

/** Shows a drawing for each provider in a colour of its own: ours, and nobody's logo. */
export function ProviderMark({ provider }: { provider: Connectable }) {
  return (
    <span className={`provider ${provider}`} aria-hidden="true">
      <Drawing size={22}>{pictures[provider]}</Drawing>
    </span>
  );
}

export function Tick() {
  return (
    <Drawing size={14}>
      <path d="M4 13l5.5 5.5L20 6" strokeWidth={2.5} />
    </Drawing>
  );
}

export function Chevron() {
  return (
    <Drawing size={16} className="go">
      <path d="M9 5l7 7-7 7" strokeWidth={2} />
    </Drawing>
  );
}

export function Warning() {
  return (
    <Drawing size={16}>
      <path d="M12 3.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17zM12 8v5M12 16v.5" strokeWidth={2} />
    </Drawing>
  );
}

function Drawing({ size, className, children }: { size: number; className?: string; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
