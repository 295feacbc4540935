import { describe, expect, it } from "vitest";
import { decodedPieces } from "@/server/providers/caldav/decoded-pieces";

function decoded(bytes: Buffer, size: number): string {
  const { take, end } = decodedPieces();
  let text = "";
  for (let at = 0; at < bytes.length; at += size) text += take(bytes.subarray(at, at + size));
  return text + end();
}

/** Bytes, with a fold for each bar. */
function folded(text: string, fold: string): Buffer {
  return Buffer.from(Buffer.from(text).toString("latin1").replaceAll("|", fold), "latin1");
}

/** A text in UTF-8 with a bar between the bytes of its characters. */
const split = Buffer.from("SUMMARY:Gr\xc3|\xbc\xc3\x9fe \xe4\xb8|\xad \xf0\x9f|\x93\x85 end", "latin1");

describe("bytes that arrive in pieces", () => {
  it.each([1, 2, 3, 5, 7, 100])("are one text in pieces of %i, with folds within characters removed", (size) => {
    for (const fold of ["\r\n ", "\n\t", "&#13;\n ", "&#xD;\n "]) {
      const bytes = Buffer.from(split.toString("latin1").replaceAll("|", fold), "latin1");
      expect(decoded(bytes, size)).toBe("SUMMARY:Grüße 中 📅 end");
    }
  });

  it.each([1, 3, 100])("keep all other folds and ends of lines in pieces of %i", (size) => {
    for (const text of ["Grü|ße|", "a|b", "ü|", "|ü", "x\r\n\r\n ü\r\n", "ü &#13;|x", "ü &amp; b"]) {
      expect(decoded(folded(text, "\r\n "), size)).toBe(text.replaceAll("|", "\r\n "));
    }
  });

  it("have a sign for each byte that is none of a character", () => {
    expect(decoded(Buffer.from("a\xc3(\xff", "latin1"), 1)).toBe("a\ufffd(\ufffd");
  });
});
