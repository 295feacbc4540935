import type { NextApiRequest, NextApiResponse } from "next";
import importedNextAuth, { type NextAuthOptions } from "next-auth";
import { cookieName, isSecure } from "@/server/auth/session-cookie";
import { type SingleSignOn, singleSignOn } from "@/server/auth/single-sign-on";
import { percentDecoded } from "@/server/domain/text";
import { env } from "@/server/env";
import { log } from "@/server/log";

/** A request to next-auth: its action is the path under /api/auth. Its own pages are never requested. */
export interface AuthCall {
  action: readonly ["csrf"] | readonly ["callback", "credentials" | "oidc"] | readonly ["signin", "oidc"];
  query?: Record<string, string>;
  /** The body of a POST. */
  body?: Record<string, string>;
  /** The Cookie header. */
  cookies: string | null;
}

export interface AuthResponse {
  /** Set-Cookie headers. */
  cookies: string[];
  location: string | null;
  /** The body of the response. */
  value: unknown;
  /** The new session. Null: refused. Undefined: it didn't get that far. */
  sessionId: string | null | undefined;
}

/** Each returns the id of the new session, or null. */
export interface Admission {
  byPassword?(given: { email: string; password: string }): Promise<string | null>;
  byIssuer?(given: SingleSignOn): Promise<string | null>;
}

interface SignInInput {
  /** The secret of its tokens. */
  secret: string | undefined;
  /** Seconds. */
  longestSession: number;
  /** Omitted where nobody signs in. */
  admission?: Admission;
}

interface CollectedResponse extends AuthResponse {
  /** Errors of the admission, which next-auth would take for a refusal. */
  failures: unknown[];
}

const SIGN_IN = "/dashboard/sign-in";
const LONGEST_REASON = 200;

/**
 * Runs an action of next-auth: csrf token, credentials, or a step of single sign-on. Sessions are our own rows;
 * next-auth's cookie only carries the id of one, encrypted. Throws what the admission throws.
 */
export async function askNextAuth(call: AuthCall, given: SignInInput): Promise<AuthResponse> {
  const request = {
    method: call.body ? "POST" : "GET",
    query: { ...call.query, nextauth: [...call.action] },
    body: call.body ?? {},
    cookies: cookiesOf(call.cookies),
    headers: {},
  };
  const collected: CollectedResponse = { cookies: [], location: null, value: null, sessionId: undefined, failures: [] };
  // It uses only these parts of Next's request and response.
  await nextAuth(
    request as unknown as NextApiRequest,
    responseInto(collected) as unknown as NextApiResponse,
    options(given, collected),
  );
  const { failures, ...response } = collected;
  if (failures.length > 0) throw failures[0];
  return response;
}

/** The package is CommonJS: bundlers and Node put its default export in different places. */
const nextAuth =
  "default" in importedNextAuth
    ? (importedNextAuth as unknown as { default: typeof importedNextAuth }).default
    : importedNextAuth;

function options({ secret, longestSession, admission }: SignInInput, collected: CollectedResponse): NextAuthOptions {
  return {
    secret,
    useSecureCookies: isSecure(),
    cookies: {
      sessionToken: cookie("session"),
      csrfToken: cookie("csrf"),
      callbackUrl: cookie("return"),
    },
    pages: { signIn: SIGN_IN, signOut: SIGN_IN, error: SIGN_IN, verifyRequest: SIGN_IN, newUser: SIGN_IN },
    session: { strategy: "jwt", maxAge: longestSession },
    jwt: { maxAge: longestSession },
    logger,
    providers: [
      {
        id: "credentials",
        name: "Password",
        type: "credentials",
        credentials: {},
        authorize: async (given) => {
          const { email = "", password = "" } = (given ?? {}) as Record<string, string | undefined>;
          collected.sessionId = await admitted(collected, admission?.byPassword?.({ email, password }));
          return collected.sessionId ? { id: collected.sessionId } : null;
        },
      },
      ...singleSignOn(),
    ],
    callbacks: {
      signIn: async ({ account, profile }) => {
        if (account?.type === "oauth") {
          const { email, email_verified } = profile as Record<string, unknown>;
          const claims = { email: typeof email === "string" ? email : null, isVerified: email_verified === true };
          collected.sessionId = await admitted(collected, admission?.byIssuer?.(claims));
        }
        return Boolean(collected.sessionId);
      },
      jwt: () => ({ sessionId: collected.sessionId }),
      redirect: ({ url }) => (isOurs(url) ? url : env().APP_URL),
    },
  };
}

async function admitted(
  collected: CollectedResponse,
  work: Promise<string | null> | undefined,
): Promise<string | null> {
  try {
    return (await work) ?? null;
  } catch (error) {
    collected.failures.push(error);
    return null;
  }
}

function cookie(name: Parameters<typeof cookieName>[0]) {
  return {
    name: cookieName(name),
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() } as const,
  };
}

/** Logs nothing but codes: next-auth's messages contain profiles, tokens and states. */
const logger = {
  error(code: string, about: unknown) {
    const error = about instanceof Error ? about : (about as { error?: unknown } | null)?.error;
    const [reason = ""] = error instanceof Error ? error.message.split(", expected") : [];
    log({ module: "auth" }).warn({ code, reason: reason.slice(0, LONGEST_REASON) }, "a sign-in failed");
  },
  warn() {},
  debug() {},
};

function cookiesOf(header: string | null): Record<string, string> {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim().split("=", 2));
  const known = pairs.flatMap(([name, value]) =>
    name && value ? [[name, percentDecoded(value) ?? value] as const] : [],
  );
  const cookies: Record<string, string> = Object.fromEntries(known);
  const name = cookieName("return");
  if (!isOurs(cookies[name] ?? "")) delete cookies[name]; // it gives up on an invalid address
  return cookies;
}

function isOurs(url: string): boolean {
  return url === env().APP_URL || url.startsWith(`${env().APP_URL}/`);
}

function responseInto(collected: CollectedResponse) {
  const response = {
    status: () => response,
    getHeader: (name: string) => (name === "Set-Cookie" ? collected.cookies : undefined),
    setHeader(name: string, value: string | string[]) {
      if (name === "Set-Cookie") collected.cookies = [value].flat();
      if (name === "Location") collected.location = String(value);
      return response;
    },
    end() {},
    json(value: unknown) {
      collected.value = value;
    },
    send(value: unknown) {
      collected.value = value;
    },
  };
  return response;
}
