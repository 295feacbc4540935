const whole = new Intl.NumberFormat("en-GB");

/** Shows a count: 12,345, or with `more` "10,000+", where counting stopped. */
export function Count({ count, more = false }: { count: number; more?: boolean }) {
  return (
    <span className="tnum">
      {whole.format(count)}
      {more && "+"}
    </span>
  );
}

/** Formats a whole number with thousands separators. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Formats a count with its noun: 1 job, 12 jobs. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${formatCount(count)} ${count === 1 ? thing : things}`;
}

/** Formats a duration: 84 ms, 1.24 s, 3 min, or a dash for none. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1_000) return `${ms < 10 && ms % 1 !== 0 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${whole.format(Math.round(ms / 60_000))} min`;
}

/** Formats an estimate: about 1 s, about 40 s, about 3 min. */
export function aboutDuration(ms: number): string {
  return ms < 60_000 ? `about ${Math.max(1, Math.round(ms / 1_000))} s` : `about ${formatDuration(ms)}`;
}

export function Duration({ ms }: { ms: number | null }) {
  return <span className="tnum whitespace-nowrap">{formatDuration(ms)}</span>;
}

/** Formats a share: 99.2%, or a dash for a share of nothing. */
export function formatShare(share: number | null): string {
  if (share === null) return "–";
  const percent = share * 100;
  return `${percent === 100 || percent === 0 ? percent : percent.toFixed(1)}%`;
}
