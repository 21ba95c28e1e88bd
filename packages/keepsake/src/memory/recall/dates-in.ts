import {
  dayMs,
  daySpan,
  firstTime,
  lastTime,
  monthSpan,
  type Span,
  spanOfIso,
  startOfDay,
  weekSpan,
  yearSpan,
} from "./calendar.ts";

/** The named parts of an expression that was found; "" for what it does not have. */
type Parts = (name: string) => string;

interface Expression {
  readonly pattern: RegExp;
  /** The times that it may mean, the likeliest first. */
  readonly spans: (parts: Parts, now: number) => readonly Span[];
}

/** So much of a query is read. */
const readLength = 2000;

const months: readonly string[] = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdays: readonly string[] = "sun mon tue wed thu fri sat".split(" ");
const numbers: readonly string[] =
  "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

const month =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const weekday =
  "(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?)";
const year = "(?<year>(?:1[89]|20|21)\\d\\d)";
const day = "(?<day>0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?";
const count = `(?<count>\\d{1,3}|an?|a couple(?: of)?|${numbers.slice(1).join("|")})`;
const unit = "(?<unit>day|week|month|year)s?";
const bounds = "since|after|before|until|till";
const behindBound = `(?<=\\b(?:${bounds}) )`;

/** Longer ones first: what one has read, the next do not see. */
const expressions: readonly Expression[] = [
  found("(?<iso>\\d{4}-\\d\\d-\\d\\d)(?:t[\\d:.]+(?:z|[+-]\\d\\d:?\\d\\d)?)?", isoSpans),
  found("(?<iso>(?:1[89]|20|21)\\d\\d-(?:0[1-9]|1[0-2]))", isoSpans),
  found(`(?:the )?${day} (?:of )?${month},? ${year}`, daySpans),
  found(`${month} (?:the )?${day},? ${year}`, daySpans),
  found(`${month},? (?:of )?${year}`, (parts) => [monthSpan(Number(parts("year")), monthOf(parts))]),
  found(`(?:the )?${day} (?:of )?${month}`, daySpans),
  found(`${month} (?:the )?${day}`, daySpans),
  found("(?:the )?day before yesterday", (_, now) => unitSpans("day", now, -2)),
  found("(?:the )?day after tomorrow", (_, now) => unitSpans("day", now, 2)),
  found("yesterday|last night", (_, now) => unitSpans("day", now, -1)),
  found("today|tonight|this (?:morning|afternoon|evening)", (_, now) => unitSpans("day", now, 0)),
  found("tomorrow", (_, now) => unitSpans("day", now, 1)),
  found(`${count} ${unit} ago`, (parts, now) => unitSpans(parts("unit"), now, -countOf(parts))),
  found(`in ${count} ${unit}`, (parts, now) => unitSpans(parts("unit"), now, countOf(parts))),
  found(`(?:last|past|previous) ${count} ${unit}|past (?<one>day|week|month|year)`, spansUpToNow),
  found(`(?<which>last|previous|this|next) ${unit}`, (parts, now) =>
    unitSpans(parts("unit"), now, stepOf(parts)),
  ),
  found(`(?:(?<which>last|this|next|in|during|early|late|mid|of|by) |${behindBound})${month}`, monthSpans),
  found(`(?:(?<which>last|this|next|on|by) |${behindBound})${weekday}`, weekdaySpans),
  found(
    `(?:(?:in|of|during|by|year|my|our|the|spring|summer|autumn|fall|winter) |${behindBound})${year}`,
    (parts) => [yearSpan(Number(parts("year")))],
  ),
];

/**
 * The times that a query names, in English or as ISO dates: "last March", "on 8 May", "two weeks ago", "since 2023". A date without a year
 * is the last one and the next. Days, weeks (from Monday), months and years are those of UTC.
 *
 * @param now Milliseconds since 1970.
 */
export function datesIn(query: string, now: number): Span[] {
  let text = query.slice(0, readLength).replace(/\s+/g, " ");
  const spans: Span[] = [];
  for (const expression of expressions) {
    text = text.replace(expression.pattern, (whole: string, ...rest: unknown[]) => {
      const parts = partsOf(rest.at(-1));
      const meant = isWord(parts) ? [] : expression.spans(parts, now);
      spans.push(...(parts("bound") === "" ? meant : meant.slice(0, 1).map((span) => bounded(span, parts))));
      return meant.length === 0 ? whole : "|";
    });
  }
  return spans;
}

function found(pattern: string, spans: Expression["spans"]): Expression {
  return {
    pattern: new RegExp(`(?<![\\w-])(?:(?<bound>${bounds}) )?(?:${pattern})(?![\\w-])`, "gi"),
    spans,
  };
}

function partsOf(groups: unknown): Parts {
  const found = new Map<string, unknown>(Object.entries(groups ?? {}));
  return (name) => String(found.get(name) ?? "");
}

/** True where "may" and "march" are verbs: "this may change". */
function isWord(parts: Parts): boolean {
  const name = parts("month");
  if (name !== "may" && name !== "march") return false;
  return ["this", "of", "by", "early", "late"].includes(parts("which").toLowerCase());
}

function bounded({ from, to }: Span, parts: Parts): Span {
  const bound = parts("bound").toLowerCase();
  if (bound === "since") return { from, to: lastTime };
  if (bound === "after") return { from: to, to: lastTime };
  return { from: firstTime, to: bound === "before" ? from : to };
}

function isoSpans(parts: Parts): Span[] {
  const span = spanOfIso(parts("iso"));
  return span === undefined ? [] : [span];
}

function daySpans(parts: Parts, now: number): Span[] {
  const inYear = (year: number): Span => daySpan(year, monthOf(parts), Number(parts("day")));
  const year = parts("year");
  return year === "" ? lastAndNext(inYear, new Date(now).getUTCFullYear(), now) : [inYear(Number(year))];
}

function monthSpans(parts: Parts, now: number): Span[] {
  const inYear = (year: number): Span => monthSpan(year, monthOf(parts));
  const thisYear = new Date(now).getUTCFullYear();
  const which = parts("which").toLowerCase();
  if (which === "this") return [inYear(thisYear)];
  if (which === "last") return [inYear(inYear(thisYear).to <= now ? thisYear : thisYear - 1)];
  if (which === "next") return [inYear(inYear(thisYear).from > now ? thisYear : thisYear + 1)];
  return lastAndNext(inYear, thisYear, now);
}

function weekdaySpans(parts: Parts, now: number): Span[] {
  const weekday = weekdays.indexOf(parts("weekday").slice(0, 3).toLowerCase());
  const today = startOfDay(now);
  const since = (new Date(today).getUTCDay() - weekday + 7) % 7;
  const at = (days: number): Span => ({ from: today + days * dayMs, to: today + (days + 1) * dayMs });
  const which = parts("which").toLowerCase();
  if (which === "last") return [at(-(since || 7))];
  if (which === "next") return [at(7 - since)];
  if (which === "this") {
    const monday = weekSpan(now, 0).from;
    return [at((monday - today) / dayMs + ((weekday + 6) % 7))];
  }
  return [at(-since), at(7 - since)];
}

/** The last one that has begun, and the one after it. */
function lastAndNext(inYear: (year: number) => Span, thisYear: number, now: number): Span[] {
  const last = inYear(thisYear).from <= now ? thisYear : thisYear - 1;
  return [inYear(last), inYear(last + 1)];
}

function spansUpToNow(parts: Parts, now: number): Span[] {
  const isOne = parts("one") !== "";
  const [span] = unitSpans("day", now, 0);
  if (span === undefined) return [];
  return [
    {
      from: earlier(isOne ? parts("one") : parts("unit"), span.from, isOne ? 1 : countOf(parts)),
      to: span.to,
    },
  ];
}

function earlier(unit: string, time: number, count: number): number {
  if (unit === "day" || unit === "week") return time - count * (unit === "week" ? 7 : 1) * dayMs;
  const date = new Date(time);
  const monthsBack = unit === "year" ? 12 * count : count;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBack, date.getUTCDate());
}

/** The calendar's day, week, month or year so many units from now. */
function unitSpans(unit: string, now: number, step: number): Span[] {
  const date = new Date(now);
  const thisYear = date.getUTCFullYear();
  const name = unit.toLowerCase();
  if (name === "year") return [yearSpan(thisYear + step)];
  if (name === "month") return [monthSpan(thisYear, date.getUTCMonth() + step)];
  if (name === "week") return [weekSpan(now, step)];
  return [daySpan(thisYear, date.getUTCMonth(), date.getUTCDate() + step)];
}

function stepOf(parts: Parts): number {
  const which = parts("which").toLowerCase();
  if (which === "this") return 0;
  return which === "next" ? 1 : -1;
}

function countOf(parts: Parts): number {
  const count = parts("count").toLowerCase();
  if (count.startsWith("a couple")) return 2;
  if (count === "a" || count === "an") return 1;
  const word = numbers.indexOf(count);
  return word < 0 ? Number(count) : word;
}

function monthOf(parts: Parts): number {
  return months.indexOf(parts("month").slice(0, 3).toLowerCase());
}
