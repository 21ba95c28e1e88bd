const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ]\d{2}:\d{2}.{0,20})?)?)?$/;

/** A day, month or year that there is, as ISO 8601, a time cut off; `undefined` for anything else. */
export function eventDateOf(date: unknown): string | undefined {
  if (typeof date !== "string" && typeof date !== "number") return undefined;
  const [, year, month = "01", day = "01"] = form.exec(String(date).trim()) ?? [];
  if (year === undefined) return undefined;
  const time = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(`${year}-${month}-${day}`);
  return isReal ? String(date).trim().slice(0, 10) : undefined;
}
