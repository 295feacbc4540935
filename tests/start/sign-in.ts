import { expect } from "vitest";

/** Signs an operator in as the page's form does. Gives the cookies of the session. */
export async function signedIn(origin: string, operator: { email: string; password: string }): Promise<string> {
  const page = await fetch(`${origin}/dashboard/sign-in`);
  const csrfToken = /name="csrfToken" value="([^"]*)"/.exec(await page.text())?.[1] ?? "";
  const answer = await fetch(`${origin}/api/auth/callback/credentials`, {
    method: "POST",
    body: new URLSearchParams({ ...operator, csrfToken, from: "/dashboard" }),
    headers: { origin, "sec-fetch-site": "same-origin", cookie: cookiesOf(page) },
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard"]);
  return cookiesOf(answer);
}

function cookiesOf(answer: Response): string {
  const lines = answer.headers.getSetCookie();
  return lines.map((line) => line.split(";")[0] ?? "").join("; ");
}
