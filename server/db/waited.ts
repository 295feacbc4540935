/** SQL for the milliseconds from one time to a later one. */
export function waited(now: string, since: string): string {
  return `(date_part('epoch', ${now} - ${since}) * 1000)::float8`;
}
