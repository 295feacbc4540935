import type { IconName } from "@/components/dashboard/shell/navigation";

const paths: Record<IconName, string> = {
  overview: "M2.5 13.5h11M4 11V8m4 3V3.5M12 11V6",
  deliveries: "M13.5 2.5 2.5 7l4.4 2.1L9 13.5l4.5-11ZM6.9 9.1l2.6-2.6",
  endpoints:
    "M8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM4.8 11.2a4.5 4.5 0 0 1 0-6.4m6.4 6.4a4.5 4.5 0 0 0 0-6.4M2.7 13.3a7.5 7.5 0 0 1 0-10.6m10.6 10.6a7.5 7.5 0 0 0 0-10.6",
  requests: "M2.5 5.5h9.5m-3-3 3 3-3 3M13.5 10.5H4m3-3-3 3 3 3",
  accounts: "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8Zm-5 5.5c.4-2.4 2.4-3.6 5-3.6s4.6 1.2 5 3.6",
  providers: "M4.7 12.5h6.9a2.6 2.6 0 0 0 .3-5.2 4 4 0 0 0-7.7-.6 2.9 2.9 0 0 0 .5 5.8Z",
  applications: "M2.5 2.5h4.25v4.25H2.5zM9.25 2.5h4.25v4.25H9.25zM2.5 9.25h4.25v4.25H2.5zM9.25 9.25h4.25v4.25H9.25z",
  settings:
    "M2.5 4.75H8m3 0h2.5m-11 6.5H5m3 0h5.5m-4-5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm-3 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z",
};

/** Draws the sidebar's icons, 16 px, in one stroke. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className="size-4 shrink-0 fill-none stroke-current"
      strokeWidth="1.25"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden
    >
      <path d={paths[name]} />
    </svg>
  );
}
