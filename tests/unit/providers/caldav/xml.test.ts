import { describe, expect, it } from "vitest";
import { etagOf, isStrong } from "@/server/providers/caldav/etag";
import { preconditionOf, readMultistatus } from "@/server/providers/caldav/multistatus";
import { externalIdOf } from "@/server/providers/caldav/multistatus-reader";
import { parseXml, XmlFault } from "@/server/providers/caldav/xml";

const url = "https://dav.acme.io/home/cal/";
const answer = (text: string, status = 207) => ({ status, text, url, headers: new Headers() });

describe("an answer in XML", () => {
  it("is read by its namespaces, whatever prefixes stand for them", async () => {
    const root = await parseXml('<a:x xmlns:a="DAV:"><y xmlns="urn:q"><a:z/>1<![CDATA[<2>]]>&amp;&#51;</y></a:x>');
    expect(root.name).toBe("DAV: x");
    expect(root.children[0]).toMatchObject({ name: "urn:q y", text: "1<2>&3", children: [{ name: "DAV: z" }] });
  });

  it.each(["", "no xml", "<a><b></a>", "<a>&boom;</a>", "<a", "<a/><b/>", `${"<a>".repeat(100)}${"</a>".repeat(100)}`])(
    "is refused when it is broken: %.20s",
    async (text) => {
      await expect(parseXml(text)).rejects.toThrow();
    },
  );

  it("never expands entities that it defines itself", async () => {
    const text = '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;&b;</a>';
    await expect(parseXml(text)).rejects.toThrow(XmlFault);
  });

  it("keeps a text of more than a piece whole", async () => {
    const long = "ä€😀\r\n".repeat(60_000);
    expect((await parseXml(`<a>${long}</a>`)).text).toBe(long);
  });
});

describe("a multistatus", () => {
  it("gives properties that are there, statuses and the token", async () => {
    const read = await readMultistatus(
      answer(`<d:multistatus xmlns:d="DAV:">
        <d:response><d:href>a.ics</d:href>
          <d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
          <d:propstat><d:prop><d:displayname/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>
        </d:response>
        <d:response><d:href>/home/cal/b.ics</d:href><d:href>c.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>
        <d:sync-token> t2 </d:sync-token></d:multistatus>`),
    );
    expect(read?.syncToken).toBe("t2");
    expect(read?.entries.map(({ externalId, status, props }) => [externalId, status, [...props.keys()]])).toEqual([
      ["/home/cal/a.ics", null, ["DAV: getetag"]],
      ["/home/cal/b.ics", 404, []],
      ["/home/cal/c.ics", 404, []],
    ]);
  });

  it("is only what says so", async () => {
    expect(await readMultistatus(answer("<html/>"))).toBeNull();
    expect(await readMultistatus(answer('<d:multistatus xmlns:d="DAV:"/>', 200))).toBeNull();
    expect(await readMultistatus(answer('<d:multistatus xmlns:d="DAV:">'))).toBeNull();
  });
});

describe("a refusal", () => {
  it.each([
    [
      '<d:error xmlns:d="DAV:"><c:no-uid-conflict xmlns:c="urn:x"><d:href>/x</d:href></c:no-uid-conflict></d:error>',
      "no-uid-conflict",
    ],
    [
      '<d:multistatus xmlns:d="DAV:"><d:response><d:error><d:need-privileges/></d:error></d:response></d:multistatus>',
      "need-privileges",
    ],
    ['<d:error xmlns:d="DAV:">Dinner with Ann</d:error>', null],
    ["Dinner with Ann", null],
  ])("is named by its precondition only: %.90s", async (text, name) => {
    expect(await preconditionOf(answer(text, 403))).toBe(name);
  });
});

describe("a resource", () => {
  it.each([
    "/home/cal/a%40b%20c.ics",
    "a@b%20c.ics",
    "https://dav.acme.io/home/cal/%61@b c.ics",
    " /home/cal/a%40b%20c.ics\n",
  ])("has one name, however it is spelled: %s", (href) => {
    expect(externalIdOf(href, url)).toBe("/home/cal/a%40b%20c.ics");
  });

  it("keeps a name that is no UTF-8, and the host where it is another", () => {
    expect(externalIdOf("/a%ff.ics", url)).toBe("/a%ff.ics");
    expect(externalIdOf("/100%.ics", url)).toBe("/100%.ics");
    expect(externalIdOf("https://p2.acme.io/a.ics", url)).toBe("https://p2.acme.io/a.ics");
    expect(externalIdOf("http://[", url)).toBeNull();
  });
});

describe("an etag", () => {
  it("is the same with and without its quotes", () => {
    expect([' "a" ', "a", 'W/"a"', "", null].map((text) => etagOf(text))).toEqual(['"a"', '"a"', 'W/"a"', null, null]);
    expect(['"a"', 'W/"a"', null].map(isStrong)).toEqual([true, false, false]);
  });
});
