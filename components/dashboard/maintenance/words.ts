export const MAINTENANCE = "/dashboard/maintenance";

/** How long maintenance lasts, in minutes. Empty: until somebody ends it. */
export const lengths = [
  { value: "", label: "Until I end it" },
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "720", label: "12 hours" },
] as const;

export const serviceText =
  "Requests that read work. Requests that change something get 503 with Retry-After, and nobody can connect a calendar. Webhooks, syncs and accepted writes go on.";

export const applicationText =
  "All of its API requests get 503 with Retry-After, and its connect links say that there is maintenance. Its webhooks, syncs and feeds go on, and other applications notice nothing.";
