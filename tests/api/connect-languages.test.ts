import { describe, expect, it } from "vitest";
import { setForeignEdits } from "../fakes/stored";
import { authorize, cookieOf, languagesOf, links, openForm, sendForm } from "./connect-page";
import { REDIRECT_URI } from "./grants";
import { type ApiResponse, call, newApplication } from "./service";

const languages = ["en", "de", "fr", "es", "ja"];

const follow = (to: URL | undefined, cookie: string) =>
  call("GET", `${to?.pathname}${to?.search}`, { headers: { cookie } });
const langOf = ({ text }: Pick<ApiResponse, "text">) => /<html lang="(\w+)"/.exec(text)?.[1];

describe("the language switch", () => {
  it("leads to the choice in each language, with everything that the application asked for", async () => {
    const asked = { access: "read", state: "s t", locale: "de" };
    const first = await authorize(await newApplication(), asked);
    const offered = languagesOf(first);
    expect(Object.keys(offered)).toEqual(languages);
    expect(first.text).toMatch(/<a [^>]*hrefLang="de"[^>]* aria-current="true"/i);
    for (const language of languages) {
      const query = Object.fromEntries(offered[language]?.searchParams ?? []);
      expect(query).toMatchObject({ ...asked, redirect_uri: REDIRECT_URI, response_type: "code", locale: language });
      expect(langOf(await follow(offered[language], cookieOf(first)))).toBe(language);
    }
  });

  it("keeps the provider of the form, and what is sent from there stays in that language", async () => {
    const application = await newApplication();
    const form = await openForm(application);
    const shown = await follow(languagesOf({ text: form.html }).fr, form.cookie);
    expect(langOf(shown)).toBe("fr");
    expect(shown.text).toContain('name="password"');
    const fields = Object.fromEntries(
      [...shown.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ) as Record<string, string>;
    const again = await sendForm({ fields, cookie: form.cookie }, { username: "", password: "x" });
    expect([again.status, langOf(again)]).toEqual([200, "fr"]);
  });

  it("keeps a request that our page carries signed", async () => {
    const application = await newApplication();
    await setForeignEdits(application.clientId);
    const first = await authorize(application);
    const to = languagesOf(first).ja;
    expect(to?.searchParams.has("request")).toBe(true);
    const shown = await follow(to, cookieOf(first));
    expect(langOf(shown)).toBe("ja");
    // The form that it leads to is in the same language, without naming it again.
    const form = links(shown).find((href) => href.includes("provider_name=apple"));
    expect(langOf(await follow(new URL(form ?? "", "http://x"), cookieOf(first)))).toBe("ja");
  });
});

describe("the script of the form", () => {
  it("is the only one, is allowed by its digest, and stands on no other page", async () => {
    const application = await newApplication();
    const form = await authorize(application, { provider_name: "apple" });
    const policy = form.headers.get("content-security-policy") ?? "";
    expect(form.text.match(/<script/g)).toHaveLength(1);
    expect(form.text).toContain('data-pending="Connecting…"');
    const [, script = ""] = /<script>(.*?)<\/script>/s.exec(form.text) ?? [];
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(script))).toString("base64");
    expect(policy).toContain(`script-src 'sha256-${digest}';`);
    const choice = await authorize(application);
    expect(choice.text).not.toContain("<script");
    expect(choice.headers.get("content-security-policy")).not.toContain("script-src");
  });
});
