import { fromAddress, type Reply } from "@/tests/rig/from-address";

export interface Operator {
  email: string;
  password: string;
}

/** What the service calls itself where nothing is configured: pages take forms of that origin alone. */
export const ownOrigin = (origin: string) => origin.replace("127.0.0.1", "localhost");

/** One sign-in as a browser at an address of the loopback does it. */
export async function signInFrom(address: string, origin: string, { email, password }: Operator): Promise<Reply> {
  const page = await fromAddress(address, `${origin}/dashboard/sign-in`);
  const csrfToken = /name="csrfToken" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  return await fromAddress(address, `${origin}/api/auth/callback/credentials`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: page.cookies.map((cookie) => cookie.split(";", 1)[0]).join("; "),
      origin: ownOrigin(origin),
      "sec-fetch-site": "same-origin",
    },
    body: new URLSearchParams({ email, password, csrfToken, from: "/dashboard" }).toString(),
  });
}
