const dav = (inner: string) => `<d:multistatus xmlns:d="DAV:">${inner}</d:multistatus>`;

/** Documents in XML that are as bad as can be in one way, of about so many bytes. */
export const worstDocuments: Readonly<Record<string, (bytes: number) => string>> = {
  elements: (n) => dav("<d:a/>".repeat(n / 6)),
  "elements in one another": (n) => `${"<a>".repeat(n / 7)}${"</a>".repeat(n / 7)}`,
  responses: (n) => dav("<d:response><d:href>/a.ics</d:href></d:response>".repeat(n / 48)),
  "one response of many names": (n) => dav(`<d:response>${"<d:href>/a</d:href>".repeat(n / 19)}</d:response>`),
  "properties that nobody asked for": (n) =>
    dav(
      `<d:response><d:href>/a</d:href><d:propstat><d:prop>${"<d:x/>".repeat(n / 6)}</d:prop></d:propstat></d:response>`,
    ),
  "attributes of one element": (n) => `<a ${Array.from({ length: n / 10 }, (_, i) => `a${i}=""`).join(" ")}></a>`,
  "namespaces at the root and at every child": (n) =>
    `<a ${Array.from({ length: 90 }, (_, i) => `xmlns:n${i}="u"`).join(" ")}>${'<b xmlns:c="d"/>'.repeat(n / 16)}</a>`,
  "one text": (n) => dav("a".repeat(n)),
  "references to characters": (n) => dav("&#65;".repeat(n / 5)),
  "sections of data": (n) => dav("<![CDATA[x]]>".repeat(n / 13)),
  comments: (n) => dav("<!--x-->".repeat(n / 8)),
  "a comment without an end": (n) => `<a><!--${"-".repeat(n)}`,
  "a status of spaces": (n) =>
    dav(
      `<d:response><d:href>/a</d:href><d:status>${" ".repeat(n / 2)}HTTP/1.1${" ".repeat(n / 2)}x</d:status></d:response>`,
    ),
  "a name of slashes": (n) => dav(`<d:response><d:href>${"/".repeat(n)}</d:href></d:response>`),
  "a name of percent signs": (n) => dav(`<d:response><d:href>${"%41/".repeat(n / 4)}</d:href></d:response>`),
  "an attribute that the parser asks for": (n) => `<a hasOwnProperty="x" b="y" __proto__="z">${" ".repeat(n)}</a>`,
};

/** Bodies in JSON, likewise. */
export const worstBodies: Readonly<Record<string, (bytes: number) => string>> = {
  "one text": (n) => `{"a":"${"x".repeat(n)}"}`,
  "a text of three bytes a character": (n) => `{"a":"${"\u4e00".repeat(n / 3)}"}`,
  escapes: (n) => `{"a":"${"\\u00e4".repeat(n / 6)}"}`,
  "ends of lines": (n) => `{"a":"${"\\n".repeat(n / 2)}"}`,
  quotes: (n) => `{"a":"${'\\"'.repeat(n / 2)}"}`,
  backslashes: (n) => `{"a":"${"\\\\".repeat(n / 2)}"}`,
  texts: (n) => JSON.stringify({ a: Array(9_000).fill("\n".repeat(Math.max(1, n / 18_000))) }),
  "names of fields": (n) =>
    `{${Array.from({ length: 9_000 }, (_, i) => `"${"k".repeat(Math.max(1, n / 9_000 - 10))}${i}":1`).join(",")}}`,
  values: (n) => `{"a":[${"0,".repeat(n / 2)}0]}`,
  brackets: (n) => "[".repeat(n),
  spaces: (n) => `{${" ".repeat(n)}}`,
  digits: (n) => `{"a":${"9".repeat(n)}}`,
  "halves of surrogate pairs": (n) => `{"a":"${"\\ud83d".repeat(n / 6)}"}`,
  "a description that is too long": (n) => `{"event_id":"1","description":"${"\u4e00".repeat(n / 3)}"}`,
  "a guest's address that is too long": (n) => `{"attendees":{"invite":[{"email":"${"\u0130 ".repeat(n / 3)}"}]}}`,
};
