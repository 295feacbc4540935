const ID = /\b(apc|acc|bkg|cal|chn|evt|fed|pro|req|trg|whd)_[0-9a-f]{24}/g;
const TOKEN = /\b(at|lt|rt|whsec)_[\w+/-]{43}=?/g;

/** The JSON of a response without what differs each time: ids, secrets, days, times of writes and reads, hosts, and the calendar's name. */
export function lasting(text: string): unknown {
  return JSON.parse(text, (key, value) => {
    if (key === "as_of") return Object.values(value).map(() => "a time");
    if (key === "sub") return "an account";
    if (key === "hold_expires_at") return "a time";
    if (key === "signing_secret") return "a secret";
    if (key === "created" || key === "updated") return "a time";
    if (typeof value !== "string") return value;
    return value
      .replace(ID, "$1_…")
      .replace(TOKEN, "$1_…")
      .replace(/^https?:.*\/feeds\/[\w-]{43}(?=\.ics$)/, "an address")
      .replace(/(?<=^apc_…@).*/, "host")
      .replace(/^(?:calendar-[0-9a-f]{12}|my-first|room-42)$/, "the calendar")
      .replace(/\b\d{4}-\d\d-\d\d(?=T|$)/, "day");
  });
}
