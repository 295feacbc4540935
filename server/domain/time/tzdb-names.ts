const MAX_LENGTH = 64;
const shape = /^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+){0,2}$/;

const areas = new Set(
  "africa america antarctica arctic asia atlantic australia brazil canada chile etc europe indian mexico pacific us".split(
    " ",
  ),
);

const singleWords = new Set(
  (
    "cet cst6cdt cuba eet egypt eire est est5edt gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hongkong hst iceland iran " +
    "israel jamaica japan kwajalein libya met mst mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok " +
    "singapore turkey uct universal utc w-su wet zulu"
  ).split(" "),
);

// Withdrawn from tzdb, still known to ICU.
const withdrawn = new Set(["us/pacific-new", "canada/east-saskatchewan"]);

/**
 * Converts a name to lower case if it could stand in tzdb, links included, or returns null. Intl also accepts names
 * that tzdb and so PostgreSQL do not (PST, IST, SystemV/PST8, +01:00). Whether a name with a known area exists is for
 * Intl to say.
 */
export function tzdbName(text: string): string | null {
  if (text.length > MAX_LENGTH || !shape.test(text)) return null;
  const name = text.toLowerCase();
  const slash = name.indexOf("/");
  if (slash < 0) return singleWords.has(name) ? name : null;
  return areas.has(name.slice(0, slash)) && !withdrawn.has(name) ? name : null;
}
