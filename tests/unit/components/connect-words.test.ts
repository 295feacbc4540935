import { describe, expect, it } from "vitest";
import { de } from "@/components/connect/words/de";
import { en } from "@/components/connect/words/en";
import { es } from "@/components/connect/words/es";
import { fr } from "@/components/connect/words/fr";
import { ja } from "@/components/connect/words/ja";

const all = { en, de, es, fr, ja };

function sentencesIn(part: unknown): string[] {
  if (typeof part === "string") return [part];
  return Object.values(part as object).flatMap(sentencesIn);
}

/** The placeholders of each sentence, in the order of the sentences. */
const placeholders = (words: object) => sentencesIn(words).map((text) => [...text.matchAll(/\{\w+\}/g)].flat().sort());

describe.each(Object.entries(all))("the sentences in %s", (_, words) => {
  it("fill in the same names as in English", () => {
    expect(placeholders(words)).toEqual(placeholders(en));
  });

  it("have no spaces at their ends, no two in a row, and the apostrophes of print", () => {
    for (const sentence of sentencesIn(words)) expect(sentence).not.toMatch(/^\s|\s$| {2}|'/);
  });
});

describe("one word for one thing", () => {
  it.each<[keyof typeof all, RegExp]>([
    ["fr", /agenda|d’application|boîte aux lettres|stocké/i],
    ["es", /contraseñas? de aplicación|\bcorreo(?! electrónico)/i],
    ["ja", /ログイン|アプリパスワード|サイン イン/],
    ["de", /Anwendungspasswort|e-mail/],
    ["en", /log ?in|e-mail|calendar is\?/i],
  ])("in %s, %s is in no sentence", (language, others) => {
    expect(sentencesIn(all[language]).filter((sentence) => others.test(sentence))).toEqual([]);
  });

  it("Japanese has no space beside a name or a Latin word", () => {
    const beside = /[\u3040-\u30ff\u4e00-\u9fff] |(?<=[\w}]) [\u3040-\u30ff\u4e00-\u9fff]/;
    expect(sentencesIn(ja).filter((sentence) => beside.test(sentence))).toEqual([]);
  });

  it("no translation is still in English", () => {
    const english = new Set(sentencesIn(en));
    const { en: _, ...others } = all;
    const same = Object.values(others)
      .flatMap(sentencesIn)
      .filter((sentence) => english.has(sentence));
    // It is a German word too.
    expect(same).toEqual(["Support"]);
  });

  it("French has a narrow place before high punctuation, never a plain space", () => {
    expect(sentencesIn(fr).filter((sentence) => / [:;?!»]|« /.test(sentence))).toEqual([]);
  });
});
