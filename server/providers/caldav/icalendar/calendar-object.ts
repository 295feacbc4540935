/**
 * A component of a calendar object. Properties are kept as the lines that were read (unfolded), so that whatever is not
 * changed is written back as it was, also what nobody understands.
 */
export interface Component {
  /** In upper case: VCALENDAR, VEVENT, VTIMEZONE. */
  name: string;
  lines: string[];
  components: Component[];
}

const MOST_DEPTH = 8;
const NEWLINE = "\r\n";

/**
 * Reads the first VCALENDAR of a text (RFC 5545 §3.1), with line ends of any kind; what is never closed ends with the text.
 * @returns null when there is none
 */
export function readCalendarObject(text: string): Component | null {
  const top: Component = { name: "", lines: [], components: [] };
  const open: Component[] = [top];
  for (const line of unfolded(text)) {
    const [, edge, named = ""] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(line) ?? [];
    const name = named.toUpperCase();
    const inner = open.at(-1) ?? top;
    if (edge === undefined) inner.lines.push(line);
    else if (edge.toUpperCase() === "BEGIN") {
      const begun: Component = { name, lines: [], components: [] };
      // What is nested deeper than any calendar is kept out of the tree, and its end is still found.
      if (open.length <= MOST_DEPTH) inner.components.push(begun);
      open.push(begun);
    } else {
      const at = open.findLastIndex((one) => one.name === name);
      if (at > 0) open.length = at;
    }
  }
  return top.components.find(({ name }) => name === "VCALENDAR") ?? null;
}

/** The text of a component, its lines folded at 75 octets. */
export function writeCalendarObject(component: Component): string {
  return `${written(component).join(NEWLINE)}${NEWLINE}`;
}

/** The components of a name, in their order. */
export function componentsOf({ components }: Component, name: string): Component[] {
  return components.filter((one) => one.name === name);
}

function unfolded(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/(?:\r\n|\r|\n)[ \t]/g, "")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "");
}

function written({ name, lines, components }: Component): string[] {
  return [`BEGIN:${name}`, ...lines.map(folded), ...components.flatMap(written), `END:${name}`];
}

const MOST_OCTETS = 75;

/** RFC 5545 §3.1; ical.js' own folding puts a 76th octet on some lines of characters outside ASCII. */
function folded(line: string): string {
  if (line.length * 3 <= MOST_OCTETS) return line;
  const parts: string[] = [];
  let [part, octets] = ["", 0];
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (octets + more > MOST_OCTETS) {
      parts.push(part);
      [part, octets] = ["", 1]; // the space that a folded line begins with
    }
    part += character;
    octets += more;
  }
  return [...parts, part].join(`${NEWLINE} `);
}
