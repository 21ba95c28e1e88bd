const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** A date as people write it, to be found by: `2026-03` is "March 2026". `undefined` for what is none. */
export function dateInWords(date: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  const name = month === undefined ? undefined : months[Number(month) - 1];
  return [day === undefined ? undefined : String(Number(day)), name, year]
    .filter((part) => part !== undefined)
    .join(" ");
}
