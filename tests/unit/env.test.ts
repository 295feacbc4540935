import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { EnvFaults, type EnvSource, readEnv, roles, variableNames } from "@/server/env";
import { capacities } from "@/server/env/capacities";

function faultsOf(source: EnvSource): string[] {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof EnvFaults) return error.faults;
    throw error;
  }
  return [];
}

const application = {
  name: "Demo",
  client_id: "demo",
  client_secret: "secret",
  redirect_uris: ["https://app.example.org/callback"],
  compatibility_mode: true,
  edit_foreign_events: true,
  mcp_writes: true,
  public_client: true,
  connect_success_page: true,
  plan: "developer",
};
const key = (bytes = 32) => randomBytes(bytes).toString("base64");

describe("the configuration", () => {
  it("has a default for everything that must have a value", () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      HOST: "0.0.0.0",
      BASE_URL: "http://localhost:3000",
      APP_URL: "http://localhost:3000",
      DATA_DIR: resolve(".data"),
      BOOTSTRAP_APPLICATIONS: [],
      WIRE_NAMES: "product",
      CALLBACK_ALLOWED_ORIGINS: [],
      CALDAV_ALLOWED_ORIGINS: [],
      TRUSTED_PROXIES: [],
      ENCRYPTION_KEYS: [],
      ALMANAC_ROLE: "all",
      ICLOUD_CALDAV_URL: "https://caldav.icloud.com",
      LOG_LEVEL: "info",
    });
    expect(readEnv({}).DATABASE_URL).toBeUndefined();
  });

  it.each([
    ["https://cloud.acme.io/remote.php/dav", "https://cloud.acme.io/remote.php/dav"],
    ["https://dav.acme.io/dav.php/", "https://dav.acme.io/dav.php/"],
    ["http://127.0.0.1:5232/", "http://127.0.0.1:5232"],
  ])("has a CalDAV server that may begin at a path: %s", (url, read) => {
    expect(readEnv({ ICLOUD_CALDAV_URL: url }).ICLOUD_CALDAV_URL).toBe(read);
  });

  it.each(["ftp://acme.io/", "https://acme.io/?a=b", "https://acme.io/#a", "https://anna:secret@acme.io/dav/", "dav"])(
    "has no CalDAV server at %s",
    (url) => {
      expect(faultsOf({ ICLOUD_CALDAV_URL: url })).toEqual([
        expect.stringMatching(/^ICLOUD_CALDAV_URL must be an http/),
      ]);
    },
  );

  it("takes an empty value as unset", () => {
    const empty = Object.fromEntries(variableNames.map((name) => [name, ""]));
    expect(readEnv(empty)).toEqual(readEnv({}));
  });

  it("lists all faults at once, each with the name of its variable", () => {
    const faults = faultsOf({ PORT: "abc", BASE_URL: "ftp://x", ADMIN_PASSWORD: "short", LOG_LEVEL: "loud" });
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(["PORT", "BASE_URL", "ADMIN_PASSWORD", "LOG_LEVEL"]);
  });

  it("keeps what could be read beside the faults", () => {
    try {
      readEnv({ PORT: "4000", WIRE_NAMES: "other" });
      expect.unreachable();
    } catch (error) {
      expect((error as EnvFaults).sound).toMatchObject({ PORT: 4000, HOST: "0.0.0.0" });
    }
  });

  it("never puts a value into a sentence", () => {
    const secret = "hunter2-canary";
    const faults = faultsOf(Object.fromEntries(variableNames.map((name) => [name, secret])));
    expect(faults.length).toBeGreaterThan(10);
    expect(faults.join(" ")).not.toContain(secret);
  });

  it("names the same variables as .env.example, each with a sentence", () => {
    const lines = readFileSync(".env.example", "utf8").split("\n");
    const listed = lines.flatMap((line, at) => {
      const name = /^#([A-Z_]+)=/.exec(line)?.[1];
      if (name) expect(lines[at - 1]).toMatch(/^# [A-Z].+\.$/);
      return name ? [name] : [];
    });
    expect(listed.toSorted()).toEqual(variableNames.toSorted());
  });
});

describe("the role of a process", () => {
  const DATABASE_URL = "postgresql://db/almanac";

  it.each(roles)("%s is one on a PostgreSQL server", (ALMANAC_ROLE) => {
    expect(readEnv({ ALMANAC_ROLE, DATABASE_URL })).toMatchObject({ ALMANAC_ROLE });
  });

  it.each(["web", "worker"])("%s is refused on the embedded database", (ALMANAC_ROLE) => {
    expect(faultsOf({ ALMANAC_ROLE })).toEqual([
      `DATABASE_URL must be set because ALMANAC_ROLE is ${ALMANAC_ROLE}: only one process can use the embedded database.`,
    ]);
    expect(faultsOf({ ALMANAC_ROLE: "all" })).toEqual([]);
  });

  it("is one of three", () => {
    expect(faultsOf({ ALMANAC_ROLE: "Worker", DATABASE_URL })).toEqual([
      "ALMANAC_ROLE must be one of all, web, worker.",
    ]);
  });
});

describe("what a process does at once", () => {
  const names = Object.keys(capacities) as (keyof typeof capacities)[];

  it.each(names)("%s has a default, and limits that are named", (name) => {
    const { least, most, byDefault } = capacities[name];
    expect(readEnv({})[name]).toBe(byDefault);
    for (const number of [least, most]) expect(readEnv({ [name]: String(number) })[name]).toBe(number);
    for (const text of [String(least - 1), String(most + 1), "1.5", "many"])
      expect(faultsOf({ [name]: text })).toEqual([`${name} must be a whole number from ${least} to ${most}.`]);
  });

  it.each(names)(".env.example gives the default and the limits of %s", (name) => {
    const { least, most, byDefault } = capacities[name];
    const [, sentence, value] =
      new RegExp(`^(# .+)\\n#${name}=(.*)$`, "m").exec(readFileSync(".env.example", "utf8")) ?? [];
    expect(value).toBe(String(byDefault));
    expect(sentence).toContain(`${least} to ${most}`);
  });
});

describe("addresses", () => {
  it.each(["65536", "-1", "3000.5", "0x10", "123456"])("PORT=%s is refused", (PORT) => {
    expect(faultsOf({ PORT })).toEqual(["PORT must be a whole number from 0 to 65535."]);
  });

  it.each([
    "https://api.example.org/v1",
    "https://user@api.example.org",
    "https://u:p@api.example.org",
    "https://api.example.org?x",
    "https://api.example.org#x",
    "ws://api.example.org",
    "api.example.org",
  ])("BASE_URL=%s is refused", (BASE_URL) => {
    expect(faultsOf({ BASE_URL })).toEqual([
      "BASE_URL must be an http or https URL without a path, query or credentials.",
    ]);
  });

  it.each(["accounts.google.com", "https://accounts.google.com/o/oauth2", "ftp://127.0.0.1", "https://user@127.0.0.1"])(
    "%s is no origin of a provider's",
    (origin) => {
      for (const name of ["GOOGLE_BASE_URL", "MICROSOFT_BASE_URL"]) {
        const sentence = `${name} must be an http or https URL without a path, query or credentials.`;
        expect(faultsOf({ [name]: origin })).toEqual([sentence]);
      }
    },
  );

  it.each([
    ["Google", "GOOGLE"],
    ["Microsoft", "MICROSOFT"],
  ])("APP_URL has to be one that %s sends users back to", (name, prefix) => {
    const client = { [`${prefix}_CLIENT_ID`]: "id", [`${prefix}_CLIENT_SECRET`]: "hush" };
    const APP_URL = "http://almanac.acme.io";
    expect(faultsOf({ ...client, APP_URL })).toEqual([
      `APP_URL must be an https URL because ${prefix}_CLIENT_ID is set: ${name} sends users back over http to localhost only.`,
    ]);
    expect(faultsOf({ APP_URL })).toEqual([]);
    expect(faultsOf({ ...client, APP_URL, [`${prefix}_BASE_URL`]: "http://127.0.0.1:9999" })).toEqual([]);
    for (const url of ["https://almanac.acme.io", "http://localhost:3000", "http://127.0.0.1:3000"])
      expect(faultsOf({ ...client, APP_URL: url })).toEqual([]);
  });

  it("BASE_URL loses its trailing slash, and defaults to the port", () => {
    expect(readEnv({ BASE_URL: "https://api.example.org/" }).BASE_URL).toBe("https://api.example.org");
    expect(readEnv({ PORT: "8080" }).APP_URL).toBe("http://localhost:8080");
  });

  it("DATABASE_URL and REDIS_URL must have their scheme", () => {
    expect(faultsOf({ DATABASE_URL: "mysql://localhost/x", REDIS_URL: "http://localhost" })).toEqual([
      "DATABASE_URL must be a URL that starts with postgres:// or postgresql://.",
      "REDIS_URL must be a URL that starts with redis:// or rediss://.",
    ]);
    expect(faultsOf({ DATABASE_URL: "postgres://localhost/x", REDIS_URL: "rediss://localhost" })).toEqual([]);
  });

  it("REDIS_URL and SMTP_URL can have a percent sign in a password only if it is written as %25", () => {
    const SMTP_FROM = "almanac@acme.io";
    expect(faultsOf({ REDIS_URL: "redis://:50%off@a", SMTP_URL: "smtp://me:50%ff@a", SMTP_FROM })).toEqual([
      "REDIS_URL must have %25 in place of a % in its user or password.",
      "SMTP_URL must have %25 in place of a % in its user or password.",
    ]);
    expect(faultsOf({ REDIS_URL: "redis://:50%25off@a", SMTP_URL: "smtp://me:50%25ff@a", SMTP_FROM })).toEqual([]);
  });

  it("REQUEST_LOG_SAMPLE is a share, and 1 by default", () => {
    expect(readEnv({}).REQUEST_LOG_SAMPLE).toBe(1);
    for (const [text, share] of [
      ["0", 0],
      ["0.05", 0.05],
      ["1.0", 1],
    ] as const)
      expect(readEnv({ REQUEST_LOG_SAMPLE: text }).REQUEST_LOG_SAMPLE).toBe(share);
    for (const text of ["1.1", "-0.1", "10%", ".5", "1e-3", "0,5"])
      expect(faultsOf({ REQUEST_LOG_SAMPLE: text })).toEqual([
        "REQUEST_LOG_SAMPLE must be a number from 0 to 1, such as 0.1.",
      ]);
  });

  it("CALLBACK_ALLOWED_ORIGINS takes exact origins only", () => {
    const CALLBACK_ALLOWED_ORIGINS = "http://127.0.0.1:9999, https://hooks.example.org";
    expect(readEnv({ CALLBACK_ALLOWED_ORIGINS }).CALLBACK_ALLOWED_ORIGINS).toEqual([
      "http://127.0.0.1:9999",
      "https://hooks.example.org",
    ]);
    expect(faultsOf({ CALLBACK_ALLOWED_ORIGINS: "http://a:1,http://b/,HTTP://c" })).toEqual([
      "CALLBACK_ALLOWED_ORIGINS[1] must be an exact origin such as http://127.0.0.1:9999.",
      "CALLBACK_ALLOWED_ORIGINS[2] must be an exact origin such as http://127.0.0.1:9999.",
    ]);
  });
});

describe("TRUSTED_PROXIES", () => {
  const shown = (TRUSTED_PROXIES: string) =>
    readEnv({ TRUSTED_PROXIES }).TRUSTED_PROXIES.map(([address, bits]) => `${address}/${bits}`);

  it("takes addresses and ranges of both kinds", () => {
    expect(shown("127.0.0.1, 10.0.0.0/8,fd00::/8 ,::1, ::ffff:192.0.2.1, ::ffff:192.0.2.0/120")).toEqual([
      "127.0.0.1/32",
      "10.0.0.0/8",
      "fd00::/8",
      "::1/128",
      "192.0.2.1/32",
      "192.0.2.0/24",
    ]);
  });

  it.each([
    "proxy.internal",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10/8",
    "010.0.0.1",
    "::1/129",
    "::ffff:10.0.0.0/8",
    "1.2.3.4/8/8",
    "0.0.0.0/0",
    "::/0",
    "*",
  ])("%s is refused", (range) => {
    expect(faultsOf({ TRUSTED_PROXIES: `127.0.0.1,${range}` })).toEqual([
      "TRUSTED_PROXIES[1] must be an IP address or a range such as 10.0.0.0/8.",
    ]);
  });
});

describe("keys", () => {
  it("the first of ENCRYPTION_KEYS comes first", () => {
    const ring = readEnv({ ENCRYPTION_KEYS: `k2:${key()},k1:${key()}` }).ENCRYPTION_KEYS;
    expect(ring.map(({ kid, key: { length } }) => [kid, length])).toEqual([
      ["k2", 32],
      ["k1", 32],
    ]);
  });

  it("a key of another length, a bad key id and a key id used twice are refused", () => {
    expect(faultsOf({ ENCRYPTION_KEYS: `k1:${key()},k2:${key(16)}` })).toEqual([
      "ENCRYPTION_KEYS[1] must contain 32 bytes in base64.",
    ]);
    expect(faultsOf({ ENCRYPTION_KEYS: `K1:${key()}` })[0]).toMatch(
      /^ENCRYPTION_KEYS\[0\] must be a key id \(1 to 16 characters/,
    );
    expect(faultsOf({ ENCRYPTION_KEYS: `k:${key()},k:${key()}` })).toEqual([
      "ENCRYPTION_KEYS must not contain the same key id twice.",
    ]);
  });

  it("INNGEST_SIGNING_KEY_FALLBACK is a signing key", () => {
    const keys = { INNGEST_EVENT_KEY: "e", INNGEST_SIGNING_KEY: "0123456789abcdef" };
    expect(faultsOf({ ...keys, INNGEST_SIGNING_KEY_FALLBACK: "another" })).toEqual([
      expect.stringContaining("INNGEST_SIGNING_KEY_FALLBACK"),
    ]);
  });

  it.each([
    ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"],
    ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
    ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"],
  ])("%s and %s come together", (one, other) => {
    const value = "0123456789abcdef";
    expect(faultsOf({ [one]: value })).toEqual([`${other} must be set because ${one} is set.`]);
    expect(faultsOf({ [other]: value })).toEqual([`${one} must be set because ${other} is set.`]);
    expect(faultsOf({ [one]: value, [other]: value })).toEqual([]);
  });
});

describe("BOOTSTRAP_APPLICATIONS", () => {
  const json = (...applications: unknown[]) => ({ BOOTSTRAP_APPLICATIONS: JSON.stringify(applications) });

  it("gives the applications, with defaults for what may be left out", () => {
    const { name, client_id, client_secret } = application;
    expect(readEnv(json(application, { name, client_id: "two", client_secret })).BOOTSTRAP_APPLICATIONS).toEqual([
      application,
      {
        ...{ name, client_id: "two", client_secret, redirect_uris: [] },
        ...{ compatibility_mode: false, edit_foreign_events: false, plan: "standard" },
        ...{ mcp_writes: false, public_client: false, connect_success_page: false },
      },
    ]);
    expect(readEnv(json({ ...application, client_id })).BOOTSTRAP_APPLICATIONS).toHaveLength(1);
  });

  it("a public client may have no secret, and no other may", () => {
    const { client_secret: _, ...secretless } = application;
    expect(readEnv(json(secretless)).BOOTSTRAP_APPLICATIONS).toEqual([secretless]);
    expect(faultsOf(json({ ...secretless, public_client: false }))).toEqual([
      "BOOTSTRAP_APPLICATIONS[0].client_secret must be a string.",
    ]);
    expect(faultsOf(json({ ...application, client_secret: null }))).toEqual([
      "BOOTSTRAP_APPLICATIONS[0].client_secret must be a string.",
    ]);
  });

  it("a fault names the application's index and field", () => {
    expect(
      faultsOf(
        json(application, { ...application, client_id: "", redirect_uris: ["https://ok.example.org", "ftp://x"] }),
      ),
    ).toEqual([
      "BOOTSTRAP_APPLICATIONS[1].client_id must not be empty.",
      "BOOTSTRAP_APPLICATIONS[1].redirect_uris[1] must be an https URL, or http on loopback, without a fragment or credentials.",
    ]);
  });

  it.each(["http://app.example.org/cb", "https://u:p@app.example.org", "https://app.example.org/#x", "not an address"])(
    "the redirect URI %s is refused",
    (uri) => {
      expect(faultsOf(json({ ...application, redirect_uris: [uri] }))).toHaveLength(1);
    },
  );

  it.each(["http://localhost:8080/cb", "http://127.0.0.1/cb", "http://[::1]:9/cb", "https://app.example.org"])(
    "the redirect URI %s is accepted",
    (uri) => {
      expect(faultsOf(json({ ...application, redirect_uris: [uri] }))).toEqual([]);
    },
  );

  it("what is not a list of objects, an unknown field and the same client_id twice are refused", () => {
    expect(faultsOf(json({ ...application, name: "Two\nlines" }))).toEqual([
      "BOOTSTRAP_APPLICATIONS[0].name must have no line breaks, and no control or bidirectional formatting characters.",
    ]);
    expect(faultsOf({ BOOTSTRAP_APPLICATIONS: "{" })).toEqual(["BOOTSTRAP_APPLICATIONS must be JSON."]);
    expect(faultsOf({ BOOTSTRAP_APPLICATIONS: "{}" })).toEqual(["BOOTSTRAP_APPLICATIONS must be a JSON array."]);
    expect(faultsOf(json(7))).toEqual(["BOOTSTRAP_APPLICATIONS[0] must be an object."]);
    expect(faultsOf(json({ ...application, secret: 1 }))).toEqual([
      "BOOTSTRAP_APPLICATIONS[0] has unknown fields: secret.",
    ]);
    expect(faultsOf(json(application, application))).toEqual([
      "BOOTSTRAP_APPLICATIONS must not contain the same client_id twice.",
    ]);
    expect(faultsOf(json({ ...application, client_secret: "x".repeat(501) }))).toEqual([
      "BOOTSTRAP_APPLICATIONS[0].client_secret must have at most 500 characters.",
    ]);
  });
});
