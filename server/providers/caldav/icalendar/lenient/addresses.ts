import { type Leniency, readLeniently } from "@/server/providers/caldav/icalendar/lenient/leniency";

const MAX_LENGTH = 2_000;

/** How the address of a guest or organizer is read beside `mailto:name@host` (RFC 6068). */
export const addresses: readonly Leniency[] = [
  {
    name: "brackets, quotes or blanks around it",
    why: "As in the header of a mail.",
    example: ['mailto: <"ada@example.com">', "ada@example.com"],
    respell: (text) => text.replace(/^\s*mailto:/i, "").replace(/^[\s"'<]+|[\s"'>;,.]+$/g, ""),
  },
  {
    name: "a scheme twice",
    why: "Added by one program to the value of another.",
    example: ["mailto:MAILTO:ada@example.com", "ada@example.com"],
    respell: (text) => text.replace(/^(?:\s*mailto:)+\s*/i, ""),
  },
  {
    name: "a name before it",
    why: "As in the header of a mail.",
    example: ["mailto:Ada Lovelace <ada@example.com>", "ada@example.com"],
    respell: (text) => /<\s*([^\s<>@]+@[^\s<>@]+)/.exec(text)?.[1] ?? text,
  },
];

/** Gives an email address in any spelling of the table, with or without its scheme, as it was written otherwise. Null: it is none. */
export function readAddress(text: string): string | null {
  return text.length > MAX_LENGTH ? null : readLeniently(text, addresses, plainAddress);
}

function plainAddress(text: string): string | null {
  const address = text.trim().replace(/^mailto:/i, "");
  return /^[^\s@:/<>"]+@[^\s@:/<>"]+$/.test(address) ? address : null;
}

/** How the name of a person is read. */
export const personNames: readonly Leniency[] = [
  {
    name: "escapes of a text",
    why: "A parameter has none, and many programs write them.",
    example: ["Doe\\, Jane", "Doe, Jane"],
    respell: (text) => text.replace(/\\([,;])/g, "$1"),
  },
  {
    name: "quotes that were left over",
    why: "No name begins and ends with one.",
    example: ["'Jane Doe'", "Jane Doe"],
    respell: (text) => text.trim().replace(/^(["'])(.+)\1$/s, "$2"),
  },
];

export function personName(text: string): string {
  const isOdd = /[\\"']/.test(text);
  return isOdd ? personNames.reduce((name, { respell }) => respell(name), text).trim() : text.trim();
}
