const DAY_MS = 86_400_000;

/** The i-th event: a meeting of two, in the 240 days that are read or as a weekly series. Times in Berlin. */
export function meeting(i: number) {
  const day = new Date(Date.now() + ((i % 240) - 40) * DAY_MS).toISOString().slice(0, 10);
  const hour = String(8 + (i % 10)).padStart(2, "0");
  return {
    ...{ summary: `Planning round ${i}`, location: `Room ${i % 40}`, day },
    description: "What was said last time, and what comes of it. ".repeat(3),
    ...{ from: `${day}T${hour}:00:00`, to: `${day}T${hour}:45:00`, isSeries: i % 20 === 0 },
  };
}
