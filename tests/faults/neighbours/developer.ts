import type { Tenant } from "@/tests/faults/neighbours/tenants";
import { fromAddress } from "@/tests/rig/from-address";
import { type Operator, ownOrigin, signInFrom } from "@/tests/rig/sign-in";

const developer = { email: "lin@example.com", password: "seven-quiet-otters" };
const ADDRESS = "127.0.0.1";

/** Invites a developer of an application, as an admin does, and accepts. Gives what the dashboard's scripts send once the developer is signed in. */
export async function developerOf({ origin, clientId }: Tenant, admin: Operator): Promise<Record<string, string>> {
  const headers = await scriptHeaders(origin, admin);
  const names = await call(origin, "applications.names", { headers });
  const { id } = names.find(({ name }: { name: string }) => name === clientId);
  const body = JSON.stringify({ email: developer.email, applications: [id] });
  const { link } = await call(origin, "invitations.create", { method: "POST", headers, body });
  await accept(origin, new URL(link));
  return await scriptHeaders(origin, developer);
}

async function accept(origin: string, { pathname, search }: URL): Promise<void> {
  const page = await fromAddress(ADDRESS, origin + pathname + search);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "";
  const { password } = developer;
  const form = { csrfToken: field("csrfToken"), token: field("token"), name: "Lin", password, again: password };
  const { status, text } = await fromAddress(ADDRESS, `${origin}/api/auth/invitation`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: cookieOf(page.cookies),
      origin: ownOrigin(origin),
      "sec-fetch-site": "same-origin",
    },
    body: new URLSearchParams(form).toString(),
  });
  if (status !== 303) throw new Error(`accepting an invitation: ${status} ${text.slice(0, 500)}`);
}

async function scriptHeaders(origin: string, operator: Operator): Promise<Record<string, string>> {
  const { status, cookies } = await signInFrom(ADDRESS, origin, operator);
  if (status !== 303) throw new Error(`signing ${operator.email} in: ${status}`);
  return {
    cookie: cookieOf(cookies),
    origin: ownOrigin(origin),
    "sec-fetch-site": "same-origin",
    "x-trpc-source": "dashboard",
    "content-type": "application/json",
  };
}

async function call(origin: string, name: string, init: RequestInit) {
  const response = await fetch(`${origin}/api/trpc/${name}`, init);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return (await response.json()).result.data;
}

const cookieOf = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ");
