import { announce } from "@/components/ui/announce";

interface Visit {
  token: string;
  calendar: string;
  sub: string;
}

interface Call {
  method: string;
  path: string;
  body: string | null;
  before?: { call: Call };
}

const KEY = "almanac-docs-visit";

/** Sends examples to this service when the button beside them is pressed, in a calendar created for this visitor. */
export function tryOnPress(): void {
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-try]") : null;
    const place = button && document.getElementById(button.getAttribute("aria-controls") ?? "");
    if (!button || !place || button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    place.hidden = false;
    const { title, text } = await sent(JSON.parse(button.dataset.try ?? "{}"), place);
    button.ariaDisabled = null;
    show(place, title, text);
    announce(title);
  });
}

async function sent(call: Call, place: HTMLElement): Promise<{ title: string; text: string }> {
  show(place, "Sending…", "");
  try {
    const left = kept();
    let response = left && (await callAs(left, call));
    // The visit is over, and its calendar deleted.
    if (!response || response.status === 401) {
      const visit = await opened();
      if (typeof visit === "string") return { title: visit, text: "" };
      response = await callAs(visit, call);
    }
    const text = await response.text();
    return { title: `Your response ${response.status}`, text: readable(text) };
  } catch {
    return { title: "The service can't be reached. Try again in a moment.", text: "" };
  }
}

async function callAs(visit: Visit, { before, ...call }: Call): Promise<Response> {
  if (before) {
    const first = await callAs(visit, before.call);
    if (!first.ok) return first;
  }
  return await sendAs(visit, call);
}

async function sendAs({ token, calendar, sub }: Visit, { method, path, body }: Call): Promise<Response> {
  const here = (text: string) => text.replaceAll("{calendar_id}", calendar).replaceAll("{sub}", sub);
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (body !== null) headers["content-type"] = "application/json";
  return await fetch(here(path), { method, headers, body: body === null ? null : here(body) });
}

function kept(): Visit | null {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
}

async function opened(): Promise<Visit | string> {
  const response = await fetch("/api/docs/visit", { method: "POST" });
  if (response.status === 429) return "Too many calendars from your network. Try again in a few minutes.";
  if (!response.ok) return "No calendar is available for this right now. Try again later.";
  const { access_token: token, calendar_id: calendar, sub } = await response.json();
  const visit = { token, calendar, sub };
  sessionStorage.setItem(KEY, JSON.stringify(visit));
  return visit;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text || "(empty body)";
  }
}

function show(place: HTMLElement, title: string, text: string): void {
  const [head, box] = [place.querySelector("[data-title]"), place.querySelector("pre")];
  if (head) head.textContent = title;
  if (box) box.textContent = text;
  box?.parentElement?.toggleAttribute("hidden", text === "");
}
