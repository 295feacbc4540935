import { describe, expect, it } from "vitest";
import { mayFollow } from "@/server/providers/caldav/site";

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
