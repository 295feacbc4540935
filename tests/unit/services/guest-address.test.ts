import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guestAddress } from "@/server/domain/events/guests";
import { accountEmail, email } from "@/server/services/events/write/guests-field";

const label63 = "b".repeat(63);

describe("a guest's address", () => {
  it.each([
    ["ada@acme.io", "ada@acme.io"],
    [" Ada@ACME.io\t", "ada@acme.io"],
    ["o'hara+tag@mail.acme.io", "o'hara+tag@mail.acme.io"],
    ["!#$%&'*+/=?^_`{|}~-@acme.io", "!#$%&'*+/=?^_`{|}~-@acme.io"],
    ["a.b.c@acme.io", "a.b.c@acme.io"],
    ["a@sub-domain.x--y.acme.museum", "a@sub-domain.x--y.acme.museum"],
    ["1@123.example", "1@123.example"],
    [`${"a".repeat(64)}@${label63}.${"c".repeat(63)}.${"d".repeat(57)}.io`, null],
    ["joerg@müller.example", "joerg@xn--mller-kva.example"],
    ["Joerg@MÜLLER.Example", "joerg@xn--mller-kva.example"],
    ["joerg@xn--mller-kva.example", "joerg@xn--mller-kva.example"],
    ["joerg@XN--MLLER-KVA.example", "joerg@xn--mller-kva.example"],
    ["joerg@mu\u0308ller.example", "joerg@xn--mller-kva.example"],
    ["a@straße.example", "a@xn--strae-oqa.example"],
    ["a@例え.テスト", "a@xn--r8jz45g.xn--zckzah"],
    ["a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"],
    ["a@пример.рф", "a@xn--e1afmkfd.xn--p1ai"],
    ["a@موقع.مصر", "a@xn--4gbrim.xn--wgbh1c"],
    ["a@ｅｘａｍｐｌｅ.com", "a@example.com"],
    ["a@acme.co\u00adm", "a@acme.com"],
  ])("%s is kept as %s", (sent, kept) => {
    expect(email.safeParse(sent)).toMatchObject({ success: true, data: kept ?? sent });
  });

  it.each([
    ["two dots", "a..b@example.com"],
    ["a dot in front", ".a@example.com"],
    ["a dot at the end of the local part", "a.@example.com"],
    ["a number for a domain", "a@1.2.3.4"],
    ["a number in other digits", "a@１.２.３.４"],
    ["a hexadecimal number", "a@1.2.3.0x4"],
    ["a top level of digits", "a@example.123"],
    ["an address literal", "a@[1.2.3.4]"],
    ["an IPv6 literal", "a@[IPv6:2001:db8::1]"],
    ["two dots in the domain", "a@b..c"],
    ["two dots before the top level", "a@example..com"],
    ["a dot in front of the domain", "a@.example.com"],
    ["a dot at the end", "a@example.com."],
    ["a label that begins with a hyphen", "a@-example.com"],
    ["a label that ends in a hyphen", "a@example-.com"],
    ["a top level that ends in a hyphen", "a@example.com-"],
    ["a label of 64 letters", `a@${label63}b.com`],
    ["a label of 64 in ASCII", `a@${"ü".repeat(60)}.com`],
    ["a local part of 65 letters", `${"a".repeat(65)}@example.com`],
    ["a domain of one label", "a@example"],
    ["an underscore in the domain", "a@my_host.com"],
    ["a domain that is no Punycode", "a@xn--zzzzzz.com"],
    ["an empty Punycode label", "a@xn--.example"],
    ["a domain in Punycode that needs none", "a@xn--a.example"],
    ["quotes", '"a b"@example.com'],
    ["quotes around a plain name", '"a"@example.com'],
    ["a comment", "a(b)@example.com"],
    ["a display name", "Ada <a@example.com>"],
    ["two addresses", "a@example.com,b@example.com"],
    ["two at signs", "a@b@example.com"],
    ["no at sign", "example.com"],
    ["nothing before it", "@example.com"],
    ["nothing behind it", "a@"],
    ["a space", "a b@example.com"],
    ["a space in the domain", "a@exa mple.com"],
    ["a line feed", "a@example.com\nbcc: b@example.com"],
    ["a path behind an international domain", "a@müller.example/x"],
    ["a port behind an international domain", "a@müller.example:25"],
    ["a percent sign in an international domain", "a@m%C3%BCller.example"],
    ["mailto", "mailto:a@example.com"],
    ["nothing", ""],
  ])("is refused: %s", (_, sent) => {
    const { error } = email.safeParse(sent);
    expect(error?.issues).toMatchObject([
      { message: "is not a valid email address", params: { key: "errors.invalid_email" } },
    ]);
  });

  it.each(["jörg@example.com", "иван@пример.рф", "a\u00adb@example.com"])("is refused with the reason: %s", (sent) => {
    const message = "is not a valid email address: only ASCII characters can be before the @";
    expect(email.safeParse(sent).error?.issues).toMatchObject([{ message }]);
  });

  it("may have 254 characters in the form that is kept", () => {
    const ascii = `${"a".repeat(64)}@${label63}.${label63}.${"d".repeat(59)}.io`;
    expect(ascii.length).toBe(255);
    expect(email.safeParse(ascii).error?.issues).toMatchObject([{ code: "too_big", maximum: 254 }]);
    const international = `a@${Array(40).fill("ü").join(".")}.io`;
    expect(international.length).toBeLessThan(100);
    expect(email.safeParse(international).error?.issues).toMatchObject([{ code: "too_big", maximum: 254 }]);
    expect(email.safeParse("x".repeat(1_000_000)).error?.issues).toMatchObject([{ code: "too_big" }]);
  });

  it("is the same however its domain is written, and writing it again changes nothing", () => {
    const script = fc.constantFrom("ü", "é", "ß", "я", "中", "ا", "ネ", "a", "1", "x", "-");
    const label = fc.string({ unit: script, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(label, label, (first, second) => {
        const read = email.safeParse(`ada@${first}.${second}.example`);
        if (!read.success) return;
        expect(read.data).toMatch(/^ada@[a-z0-9.-]+\.example$/);
        expect(email.parse(read.data)).toBe(read.data);
        expect(guestAddress(read.data)).toBe(read.data);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is each usual address, and never one with an empty atom", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(email.safeParse(address).data).toBe(address.toLowerCase());
        for (const broken of [address.replace("@", ".@"), `.${address}`, `${address}.`, address.replace("@", "@.")]) {
          expect(email.safeParse(broken).success, broken).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("an address that a provider has", () => {
  it.each([
    ["a..b@example.com", "a..b@example.com"],
    [" Ada@Host ", "ada@host"],
    ["Jörg@Müller.example", "jörg@xn--mller-kva.example"],
    ["a@mü ller.example", "a@mü ller.example"],
    ["a@mü/ller.example", "a@mü/ller.example"],
    ["müller", "müller"],
    ["", ""],
    ["a@", "a@"],
  ])("%j is read leniently as %j", (sent, kept) => {
    expect(guestAddress(sent)).toBe(kept);
  });

  it("is compared at once, however long it is", () => {
    const long = `a@${"ü.".repeat(200_000)}`;
    expect(guestAddress(long)).toBe(long);
  });
});

it("an account's own address may have a domain of one label", () => {
  expect(accountEmail.safeParse("apc_1@localhost").data).toBe("apc_1@localhost");
  expect(accountEmail.safeParse("apc_1@localhost.").success).toBe(false);
  expect(accountEmail.safeParse("a..b@localhost").success).toBe(false);
  expect(accountEmail.safeParse("a@127").success).toBe(false);
});
