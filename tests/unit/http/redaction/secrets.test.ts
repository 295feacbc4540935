import { createHash, randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newId, newSigningSecret, newToken } from "@/server/db/new-id";
import { isKept } from "@/server/http/redaction/fields";
import { redactBody, redactHeaders, redactPath, redactQuery } from "@/server/http/redaction/redact";
import { loggable } from "@/server/http/redaction/secrets";

const eventsPath = (calendarId: string) => `/v1/calendars/${calendarId}/events`;
const idFields = "calendar_id calendar_ids[] channel_id profile_id account_id sub event_uid event_id client_id cursor";
const unseen = ["%0A", "%00", "%09", "%20", "%C2%A0", "%C2%AD", "%E2%80%8B", "%EF%BB%BF", "%F3%A0%81%81", "%80", "%"];
const nested = ["%2500", "%252500", "%2%30", "%2%005%300"];

/** Every way of putting something between the letters of a secret, of which few are near its prefix. */
function spellingsOf(secret: string): string[] {
  const places = [1, 2, 3, 4, 9, 15, 18, 19, 30, secret.length];
  return [...unseen, ...nested].flatMap((between) => [
    ...places.map((place) => secret.slice(0, place) + between + secret.slice(place)),
    [...secret].join(between),
  ]);
}

describe("a token", () => {
  // The second alphabet of base64 has two characters that paths and forms use for something else.
  const signing = [newSigningSecret(), `whsec_${"+/".repeat(21)}A=`, `whsec_${"/+aB".repeat(10)}cD9=`];
  const tokens = [...(["at", "rt", "lt"] as const).map((prefix) => newToken(prefix)), ...signing];

  it("is found in a path, whatever stands unseen within it", () => {
    for (const spelt of tokens.flatMap(spellingsOf))
      expect(redactPath(eventsPath(spelt), 512), spelt).toBe("[redacted]");
  });

  it("is found in a path that is cut within it", () => {
    for (const spelt of tokens.flatMap(spellingsOf)) {
      const path = redactPath(`/v1/${"x".repeat(100)}${spelt}`, 128);
      expect(path === "[redacted]" || path.length < 128, spelt).toBe(true);
    }
  });

  it("is found in fields, parameters, headers and what is printed", () => {
    for (const spelt of tokens.flatMap(spellingsOf)) {
      for (const field of idFields.split(" ")) expect(isKept(field, spelt), `${field} ${spelt}`).toBe(false);
      expect(redactQuery(new URLSearchParams({ event_id: spelt }))).toBe("event_id=[redacted]");
      expect(redactHeaders({ "user-agent": spelt })).toEqual({ "user-agent": "[redacted]" });
      expect(loggable(spelt)).toBe("[redacted]");
    }
  });

  it("is found between characters that are not escaped", () => {
    const token = newToken("at");
    for (const between of ["\n", "\u0000", "\u200b", "\u00ad", "\ufeff", " ", "\t", "\u{e0041}"]) {
      const spelt = `${token.slice(0, 9)}${between}${token.slice(9)}`;
      expect(loggable(spelt)).toBe("[redacted]");
      expect(redactHeaders({ "user-agent": spelt })).toEqual({ "user-agent": "[redacted]" });
    }
  });
});

describe("a secret without a prefix", () => {
  // One that happens to hold a token's prefix counts as a token: its whole path goes.
  const plain = () => {
    for (;;) {
      const secret = newToken();
      if (!/(at|rt|lt|whsec)_/.test(secret)) return secret;
    }
  };
  const secrets = Array.from({ length: 1000 }, plain);

  it("is nowhere in a path, and what stands around it is", () => {
    for (const secret of secrets) {
      expect(redactPath(eventsPath(secret), 512)).toBe("/v1/calendars/[redacted]/events");
      expect(redactPath(`/v1/channels/x${secret}`, 512)).toBe("/v1/channels/[redacted]");
    }
    for (const spelt of spellingsOf(plain()))
      expect(redactPath(eventsPath(spelt), 512)).not.toContain(spelt.slice(0, 4));
  });

  it("is nowhere in a path that is cut, whatever was redacted before it", () => {
    const secret = plain();
    const path = redactPath(`/v1/${plain()}/${"x".repeat(57)}/${secret}/${secret}`, 128);
    expect(path).toBe(`/v1/[redacted]/${"x".repeat(57)}/[redacted]`);
  });

  it("is in no field of a cursor, also where its bytes have the brackets of one", () => {
    for (let i = 0; i < 1000; i += 1) {
      const bytes = randomBytes(32);
      [bytes[16], bytes[31]] = [0x5b, 0x5d];
      const secret = bytes.toString("base64url");
      expect(isKept("cursor", secret), secret).toBe(false);
    }
    // Those of a list of one text.
    expect(isKept("cursor", "hlhHMfIHLrB7KSsGwjDTlFsiYi_7kumKd0x9Jfe3Il0")).toBe(false);
  });

  it("is in no field of an id or a cursor, and in no header", () => {
    for (const secret of secrets) {
      for (const field of idFields.split(" ")) expect(isKept(field, secret), `${field} ${secret}`).toBe(false);
      expect(redactHeaders({ "user-agent": secret, "svc-request-id": secret })).toEqual({
        "user-agent": "[redacted]",
        "svc-request-id": "[redacted]",
      });
    }
    for (const spelt of spellingsOf(plain()))
      for (const field of idFields.split(" ")) expect(isKept(field, spelt), `${field} ${spelt}`).toBe(false);
  });
});

describe("a signing secret without its prefix", () => {
  it("is in no field of an id or a cursor, in no header, and not printed", () => {
    for (let i = 0; i < 1000; i += 1) {
      const secret = newSigningSecret().slice("whsec_".length);
      for (const field of idFields.split(" ")) expect(isKept(field, secret), `${field} ${secret}`).toBe(false);
      expect(redactHeaders({ "user-agent": secret })).toEqual({ "user-agent": "[redacted]" });
      expect(loggable(secret)).toBe("[redacted]");
    }
  });
});

describe("what is random and no secret", () => {
  it("is readable in a path: ids of ours, and what others name things by", () => {
    const ids = (["cal", "evt", "acc", "apc", "chn", "pro"] as const).map((prefix) => newId(prefix));
    const more = [randomBytes(12).toString("hex"), randomUUID(), `nothing-${randomBytes(6).toString("hex")}`];
    for (const id of [...ids, ...more, "cal_U9uuErStTG@EAAAB"])
      expect(redactPath(eventsPath(id), 512)).toBe(eventsPath(id));
    expect(redactPath(`/v1/calendars/${ids[0]}%2C${ids[1]}/`, 512)).toBe(`/v1/calendars/${ids[0]}%2C${ids[1]}/`);
  });

  it("is readable as an id of ours, in whichever field", () => {
    const body = {
      event_id: newId("evt"),
      event_uid: newId("evt"),
      calendar_ids: [newId("cal"), newId("cal")],
      account_id: newId("acc"),
      sub: newId("apc"),
      profile_id: newId("pro"),
      channel_id: newId("chn"),
      client_id: newId("app").replace("app_", "client_"),
    };
    expect(redactBody(body)).toEqual(body);
  });

  it("is readable as the event id that an application chose", () => {
    const chosen = [
      randomUUID(),
      randomUUID().toUpperCase(),
      createHash("sha256").update("1").digest("hex"),
      randomBytes(16).toString("base64url"),
      randomBytes(114).toString("hex"),
      `${randomBytes(32).toString("hex")}@google.com`,
      "a-name-of-forty-three-small-letters-and-2026",
      "a-name-of-43-letters-that-are-small-in-2026",
    ];
    for (const event_id of chosen) expect(redactBody({ event_id })).toEqual({ event_id });
  });

  it("is readable as a cursor of ours", () => {
    const list = JSON.stringify([1764547200, 1767225600, "Etc/UTC", 1, 0, null, "AQIDBA", 2, 120, 1764633600, "0a1b"]);
    for (let i = 0; i < 50; i += 1) {
      const mac = createHash("sha256").update(String(i)).digest().subarray(0, 16);
      const cursor = Buffer.concat([mac, Buffer.from(list)]).toString("base64url");
      expect(redactQuery(new URLSearchParams({ cursor }))).toBe(`cursor=${cursor}`);
    }
  });
});
