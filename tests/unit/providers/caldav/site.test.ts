import { describe, expect, it } from "vitest";
import { accounts } from "@/server/providers/caldav/account";
import { sealable } from "@/server/providers/caldav/credential";
import { linkedAddress, mayFollow } from "@/server/providers/caldav/site";

const may = (to: string, ...origins: string[]) => mayFollow(new URL(to), origins);

describe("the password goes", () => {
  it.each([
    ["http://127.0.0.1:5232/home/", "http://127.0.0.1:5232"],
    ["https://caldav.icloud.com/1/", "https://caldav.icloud.com"],
    ["https://p12-caldav.icloud.com/1/calendars/", "https://caldav.icloud.com"],
    ["https://p12-caldav.icloud.com:443/1/", "https://caldav.icloud.com"],
    ["https://icloud.com/", "https://caldav.icloud.com"],
  ])("to %s when %s is configured", (to, entry) => {
    expect(may(to, entry)).toBe(true);
  });
});

describe("the password never goes", () => {
  it.each([
    ["http://p12-caldav.icloud.com/", "https://caldav.icloud.com"],
    ["https://p12-caldav.icloud.com:8443/", "https://caldav.icloud.com"],
    ["https://icloud.com.attacker.io/", "https://caldav.icloud.com"],
    ["https://noticloud.com/", "https://caldav.icloud.com"],
    ["https://me@p12-caldav.icloud.com/", "https://caldav.icloud.com"],
    ["https://b.mail.acme.co.uk/", "https://dav.mail.acme.co.uk"],
    ["https://evil.dyndns.org/", "https://nas.dyndns.org"],
    ["https://another.co.uk/", "https://acme.co.uk"],
    ["https://another.com/", "https://acme.com"],
    ["http://127.0.0.1:5233/", "http://127.0.0.1:5232"],
    ["https://126.0.0.1/", "https://127.0.0.1"],
    ["https://[::1]/", "https://[::2]"],
    ["file:///etc/hosts", "https://caldav.icloud.com"],
  ])("to %s when %s is configured", (to, entry) => {
    expect(may(to, entry)).toBe(false);
  });
});

describe("a path that begins with two slashes", () => {
  const origins = ["https://dav.acme.io"];

  it.each([
    ["https://proxied.example//attacker.io/a.ics", "https://dav.acme.io//attacker.io/a.ics"],
    ["https://dav.acme.io//attacker.io/a.ics", "https://dav.acme.io//attacker.io/a.ics"],
    ["http://10.0.0.7//p12-caldav.icloud.com/?b=1", "https://dav.acme.io//p12-caldav.icloud.com/?b=1"],
    ["urn:https://attacker.io/", "https://dav.acme.io/https://attacker.io/"],
  ])("in a link is one of the server that was asked: %s", (href, address) => {
    expect(linkedAddress(href, "https://dav.acme.io/home/", { origins })?.href).toBe(address);
  });

  it("is one of the account's server", () => {
    const fetch = () => Promise.reject(new Error("nothing is asked"));
    const login = { username: "anna", password: "secret", addresses: [], displayName: null };
    const accountOf = accounts(() => ({ fetch, origins }));
    const account = accountOf(sealable({ ...login, home: "https://dav.acme.io/calendars/anna/" }));
    const link = "https://dav.acme.io//calendars/anna/1/";
    expect(account.at(account.idOf(link, "https://dav.acme.io/") ?? "")).toBe(link);
    expect(account.at("/calendars/anna/1/a%20b.ics")).toBe("https://dav.acme.io/calendars/anna/1/a%20b.ics");
  });
});
