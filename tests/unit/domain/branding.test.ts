import { describe, expect, it } from "vitest";
import { themes } from "@/components/ui/paper";
import { accentsOf, contrast, luminanceOf, luminanceOfSurface, surfaces } from "@/server/domain/branding/accent";
import { readPng } from "@/server/domain/branding/png";
import { SMALL_PNG } from "../../fakes/small-png";

const small = Buffer.from(SMALL_PNG, "base64");

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
}

/** The small PNG with another chunk before its end. */
const withChunk = (more: Buffer) => Buffer.concat([small.subarray(0, -12), more, small.subarray(-12)]);

describe("an accent", () => {
  const colours = ["#1a73e8", "#ffff00", "#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#808080", "#F4B400"];

  it.each(colours)("%s can be read in both themes", (colour) => {
    const accents = accentsOf(colour);
    for (const theme of ["light", "dark"] as const) {
      expect(accents[theme]).toMatch(/^#[\da-f]{6}$/);
      expect(contrast(luminanceOf(accents[theme]), luminanceOfSurface(theme))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("stays as it is where it can be read", () => {
    expect(accentsOf("#1a5fb4").light).toBe("#1a5fb4");
    expect(accentsOf("#F4B400").dark).toBe("#f4b400");
    expect(accentsOf("#F4B400").light).not.toBe("#f4b400");
  });

  it("is judged on the surfaces of the pages", () => {
    const written = ([l, c, h]: readonly number[]) =>
      `oklch(${[l, c, h].map((part) => String(part).replace(/^0\./, ".")).join(" ")})`;
    expect(themes.light).toContain(`--paper:${written(surfaces.light)}`);
    expect(themes.dark).toContain(`--raised:${written(surfaces.dark)}`);
  });

  it("knows the contrast of black and white", () => {
    expect(contrast(luminanceOf("#000000"), luminanceOf("#ffffff"))).toBeCloseTo(21);
    expect(contrast(luminanceOf("#767676"), luminanceOf("#ffffff"))).toBeCloseTo(4.54, 2);
  });
});

describe("a PNG", () => {
  it("is read with its size", () => {
    expect(readPng(small)).toMatchObject({ kind: "read", width: 1, height: 1 });
  });

  it("keeps its pixels alone", () => {
    const place = withChunk(chunk("eXIf", Buffer.from("52.5163, 13.3777")));
    const script = withChunk(chunk("tEXt", Buffer.from("Comment\0<script>alert(1)</script>")));
    const plain = readPng(small);
    expect(readPng(place)).toEqual(plain);
    expect(readPng(script)).toEqual(plain);
  });

  it.each([
    ["an SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>")],
    ["a GIF", Buffer.from("GIF89a")],
    ["nothing", Buffer.alloc(0)],
    ["cut off", small.subarray(0, -5)],
    ["without an end", small.subarray(0, -12)],
    ["with something behind it", Buffer.concat([small, Buffer.from("<script>alert(1)</script>")])],
    ["without pixels", Buffer.concat([small.subarray(0, 33), small.subarray(-12)])],
    ["with a length beyond its end", withChunk(Buffer.from([0xff, 0xff, 0xff, 0xff, 65, 65, 65, 65, 0, 0, 0, 0]))],
  ])("is not %s", (_, file) => {
    expect(readPng(file)).toEqual({ kind: "not_png" });
  });

  it("has no more pixels than a page can show", () => {
    const large = Buffer.from(small);
    large.writeUInt32BE(100_000, 16);
    expect(readPng(large)).toEqual({ kind: "too_many_pixels" });
  });
});
