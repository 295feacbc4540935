/** A text, a part that depends on a condition, or a generated part. */
export type Mark = string | Condition | Generated;

interface Condition {
  condition: string;
  met: Mark[];
  orElse: Mark[];
}

interface Generated {
  generated: string;
  /** The text that was last written into the file. */
  body: string;
}

export interface ResolvedMarks {
  text: (text: string) => string;
  isTrue: (condition: string) => boolean;
  generated: (name: string, body: string) => string;
}

const MARK = /(<!-- (?:if [^>]+|else|generated: [^>]+|end) -->)/;

/**
 * Splits a guide's file into its parts. `<!-- if … -->…<!-- else -->…<!-- end -->` encloses what depends on the
 * service's configuration, and `<!-- generated: … -->…<!-- end -->` what is generated from the code.
 */
export function marksOf(text: string): Mark[] {
  const pieces = text.split(MARK);
  const marks = taken(pieces);
  if (pieces.length > 0) throw new Error(`nothing is open where the file has ${pieces[0]}`);
  return marks;
}

/** Takes pieces up to the end mark of the open part, which stays. */
function taken(pieces: string[]): Mark[] {
  const marks: Mark[] = [];
  while (pieces.length > 0 && !/^<!-- (else|end) -->$/.test(pieces[0] ?? "")) {
    const piece = pieces.shift() ?? "";
    const [, kind, name = ""] = /^<!-- (if |generated: )(.+) -->$/.exec(piece) ?? [];
    if (!kind) marks.push(piece);
    else if (kind === "if ") marks.push(condition(name, pieces));
    else marks.push({ generated: name, body: ended(taken(pieces), pieces).join("") });
  }
  return marks;
}

function condition(name: string, pieces: string[]): Condition {
  const met = taken(pieces);
  if (pieces[0] !== "<!-- else -->") return { condition: name, met: ended(met, pieces), orElse: [] };
  pieces.shift();
  return { condition: name, met, orElse: ended(taken(pieces), pieces) };
}

function ended(marks: Mark[], pieces: string[]): Mark[] {
  if (pieces.shift() !== "<!-- end -->") throw new Error("a mark of the file has no end");
  return marks;
}

/** Assembles the text for a service. */
export function resolved(marks: readonly Mark[], how: ResolvedMarks): string {
  const texts = marks.map((mark) => {
    if (typeof mark === "string") return how.text(mark);
    if ("generated" in mark) return around(mark.body, how.generated(mark.generated, mark.body.trim()));
    return resolved(how.isTrue(mark.condition) ? mark.met : mark.orElse, how);
  });
  return texts.join("");
}

/** Writes the file with its generated parts renewed. */
export function renewed(marks: readonly Mark[], generated: (name: string) => string): string {
  const texts = marks.map((mark) => {
    if (typeof mark === "string") return mark;
    if ("generated" in mark)
      return `<!-- generated: ${mark.generated} -->${around(mark.body, generated(mark.generated))}<!-- end -->`;
    const [met, orElse] = [renewed(mark.met, generated), renewed(mark.orElse, generated)];
    return `<!-- if ${mark.condition} -->${met}${mark.orElse.length > 0 ? `<!-- else -->${orElse}` : ""}<!-- end -->`;
  });
  return texts.join("");
}

/** Puts a text within a line, or between blank lines. */
function around(body: string, text: string): string {
  return body.includes("\n") ? `\n\n${text}\n\n` : text;
}
