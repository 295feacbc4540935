/** What a process of the previous version cannot live with, as far as SQL shows it by itself. */
const breaking: [RegExp, string][] = [
  [/^DROP (TABLE|TYPE|FUNCTION|VIEW|SEQUENCE)\b/i, "drops what the previous version may use"],
  [/\bDROP COLUMN\b/i, "drops a column: its client names every column that it knows"],
  [/\bRENAME (TO|COLUMN|VALUE)\b/i, "renames what the previous version names"],
  [/\bADD VALUE\b/i, "adds an enum value that the previous version's client cannot read"],
  [/\bSET NOT NULL\b/i, "refuses a null that the previous version may write"],
  [/\bDROP DEFAULT\b/i, "drops a default that the previous version may rely on"],
  [/\bALTER COLUMN \S+ (SET DATA )?TYPE\b/i, "changes the type of a column"],
  [/\bADD CONSTRAINT\b/i, "adds a constraint that the previous version may violate"],
  [/^CREATE UNIQUE INDEX\b/i, "adds a unique index that the previous version may violate"],
  [/^(TRUNCATE|DELETE FROM)\b/i, "deletes rows that the previous version may use"],
];

/** Why a migration cannot be safe for the version before. What it does to tables that it creates itself does not matter. */
export function breakingStatements(script: string): string[] {
  const statements = script
    .replace(/^\s*--.*$/gm, "")
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim());
  const own = new Set(
    statements.flatMap((statement) => nameIn(statement, /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i)),
  );
  return statements.flatMap((statement) => {
    const [table] = nameIn(
      statement,
      /^(?:ALTER TABLE|DROP TABLE|DELETE FROM|TRUNCATE|CREATE UNIQUE INDEX.*? ON) (?:ONLY )?"?(\w+)/is,
    );
    if (table && own.has(table)) return [];
    const found = breaking.filter(([sign]) => sign.test(statement)).map(([, why]) => why);
    return addsRequiredColumn(statement) ? [...found, "adds a column that the previous version does not fill"] : found;
  });
}

function nameIn(statement: string, sign: RegExp): string[] {
  const name = sign.exec(statement)?.[1];
  return name ? [name] : [];
}

function addsRequiredColumn(statement: string): boolean {
  if (!/^ALTER TABLE/i.test(statement)) return false;
  const columns = statement.split(/\bADD COLUMN\b/i).slice(1);
  return columns.some((column) => /\bNOT NULL\b/i.test(column) && !/\b(DEFAULT|GENERATED)\b/i.test(column));
}
