export const MAINTENANCE = "/dashboard/maintenance";

/** How long maintenance lasts, in minutes. Empty: until someone ends it. */
export const lengths = [
  { value: "", label: "Until I end it" },
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "720", label: "12 hours" },
] as const;

export const serviceText =
  "While Almanac is read-only, reads work, changes get 503 with Retry-After, and no one can connect a calendar. Webhooks, syncs and accepted writes continue.";

export const applicationText =
  "All of its API requests get 503 with Retry-After, and its connect links show a maintenance notice. Its webhooks, syncs and feeds continue. Other applications aren’t affected.";
