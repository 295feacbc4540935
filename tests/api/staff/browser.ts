import { randomBytes, scryptSync } from "node:crypto";
import { encode } from "next-auth/jwt";
import { hashPassword } from "@/server/auth/password";
import { cookieName } from "@/server/auth/session-cookie";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { env } from "@/server/env";
import { staffSecrets } from "@/server/http/staff/session-secrets";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { openSession } from "@/server/services/staff/sessions/session";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { addMember } from "../../fakes/stored-operators";
import { type ApiResponse, call } from "../service";

const HOUR = 3_600_000;

export const PASSWORD = "a password of tests";
// Of a lower cost than new passwords have: so many are checked.
const quickHash = `scrypt$1024$8$1$${"A".repeat(22)}$${scryptSync(PASSWORD, Buffer.alloc(16), 32, { N: 1024 }).toString("base64url")}`;

export interface Person {
  id: string;
  email: string;
  role: Role;
}

/** A new operator with the password of all tests' operators, at the cost that passwords have, less, or without one. */
export async function newOperator({
  role = "support",
  password = "quick",
  applications = [],
}: {
  role?: Role;
  password?: "quick" | "slow" | "none";
  /** Those that a developer is a member of. */
  applications?: readonly string[];
} = {}): Promise<Person> {
  const email = `${randomBytes(6).toString("hex")}@acme.io`;
  const id = newId("opr");
  const passwordHash =
    password === "none"
      ? null
      : password === "quick"
        ? quickHash
        : await hashPassword(PASSWORD, { key: "tests", isKnown: true });
  await db().prisma.operator.create({ data: { id, email, name: "Somebody", role, passwordHash } });
  await addMember(id, applications);
  return { id, email, role };
}

let hours = 0;

/** A clock that stands still, hours after the one of any test before: what those used up of the throttle is full again. */
export function laterClock(): FakeClock {
  const clock = fakeClock();
  hours += 1;
  clock.advance(hours * HOUR);
  return clock;
}

export interface Browser {
  jar: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Sends a form as a page of ours does. */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Calls a procedure as the dashboard's script does. */
  query(path: string, input?: unknown): Promise<ApiResponse>;
  mutate(path: string, input?: unknown): Promise<ApiResponse>;
}

/** Keeps cookies, follows nothing. */
export function browser(): Browser {
  const jar = new Map<string, string>();
  const origin = { origin: env().APP_URL, "sec-fetch-site": "same-origin" };
  const send = async (method: string, path: string, { headers = {}, ...more }: Parameters<typeof call>[2] = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await call(method, path, { ...more, headers: { ...(cookie && { cookie }), ...headers } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const script = { ...origin, "x-trpc-source": "dashboard" };
  return {
    jar,
    get: (path, headers) => send("GET", path, { headers }),
    post: (path, form, headers) => send("POST", path, { form, headers: { ...origin, ...headers } }),
    query: (path, input) => {
      const search = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return send("GET", `/api/trpc/${path}${search}`, { headers: script });
    },
    mutate: (path, input = {}) => send("POST", `/api/trpc/${path}`, { json: input, headers: script }),
  };
}

/** A browser whose operator has signed in, without the form. */
export async function signedInBrowser(person: Person): Promise<Browser & { sessionId: string }> {
  const opened = browser();
  const opening = {
    operatorId: person.id,
    way: "password",
    address: null,
    userAgent: null,
    now: clock().now(),
  } as const;
  const sessionId = await openSession(db().prisma, opening);
  opened.jar.set(cookieName("session"), await encode({ token: { sessionId }, secret: staffSecrets()[0] ?? "" }));
  return { ...opened, sessionId };
}

/** Opens the page and sends its form. */
export async function signIn(
  from: Browser,
  { email, password = PASSWORD }: { email: string; password?: string },
  { path = "/dashboard/sign-in", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const page = await from.get(path);
  const [csrfToken, back] = [field(page, "csrfToken"), field(page, "from")];
  return from.post("/api/auth/callback/credentials", { email, password, csrfToken, from: back }, headers);
}

/** Whether email and password were refused: the browser is led back to the sign-in page, without a session. */
export async function isRefused(person: { email: string; password?: string }): Promise<boolean> {
  const staff = browser();
  const answer = await signIn(staff, person);
  const isBack = answer.status === 303 && answer.headers.get("location") === "/dashboard/sign-in";
  return isBack && !staff.jar.has(cookieName("session"));
}

/** The value of a hidden field of a page. */
export function field(page: ApiResponse, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1];
  if (value === undefined) throw new Error(`the page has no field ${name}`);
  return value.replaceAll("&amp;", "&");
}
