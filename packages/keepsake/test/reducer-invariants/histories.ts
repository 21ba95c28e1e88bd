import fc from "fast-check";
import type { Content, Draft } from "./draft.ts";

type Spec = Partial<Omit<Draft, "role" | "label">> & { readonly role: Draft["role"] };

interface Detail {
  readonly content: Content;
  readonly tokens: number;
  readonly pinned: boolean;
  readonly variant: number;
  readonly named: boolean;
}

type Step =
  | { readonly kind: "say"; readonly detail: Detail }
  | {
      readonly kind: "call";
      readonly parallel: number;
      readonly rows: boolean;
      readonly order: number;
      readonly aside: number;
      readonly details: readonly Detail[];
    };

interface Segment {
  readonly kind: "turn" | "system" | "function" | "other";
  readonly detail: Detail;
  readonly steps: readonly Step[];
}

const detail: fc.Arbitrary<Detail> = fc.record({
  content: fc.constantFrom<Content>("string", "string", "string", "parts", "image"),
  tokens: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100, max: 600 }) },
  ),
  pinned: fc.integer({ min: 0, max: 19 }).map((n) => n === 19),
  variant: fc.nat(1000),
  named: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("say" as const), detail }),
  fc.record({
    kind: fc.constant("call" as const),
    parallel: fc.integer({ min: 1, max: 3 }),
    rows: fc.boolean(),
    order: fc.nat(5),
    aside: fc.nat(12),
    details: fc.array(detail, { minLength: 8, maxLength: 8 }),
  }),
);

const segment: fc.Arbitrary<Segment> = fc.record({
  kind: fc.constantFrom<Segment["kind"]>(
    "turn",
    "turn",
    "turn",
    "turn",
    "turn",
    "turn",
    "turn",
    "system",
    "function",
    "other",
  ),
  detail,
  steps: fc.array(step, { maxLength: 4 }),
});

/**
 * Histories that every provider accepts: turns with plain answers, tool calls (parallel, answered in any order, split
 * over adjacent assistant rows), system, function and unknown messages in between; the last exchange may be unanswered.
 */
export const validHistories: fc.Arbitrary<Draft[]> = fc
  .record({
    opening: fc.constantFrom("none", "system", "system", "greeting"),
    detail,
    segments: fc.array(segment, { maxLength: 9 }),
    cutOff: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
  })
  .map(({ opening, detail: first, segments, cutOff }) => {
    const writer = createWriter();
    if (opening === "system") writer.write({ role: "system" }, first);
    if (opening === "greeting") writer.write({ role: "ai" }, first);
    for (const part of segments) writeSegment(writer, part);
    return writer.drafts.slice(0, writer.drafts.length - cutOff);
  });

interface Writer {
  readonly drafts: Draft[];
  write(spec: Spec, detail: Detail): void;
  newCall(): string;
}

function createWriter(): Writer {
  const drafts: Draft[] = [];
  let calls = 0;
  return {
    drafts,
    newCall: () => `c${++calls}`,
    write: (spec, detail) => {
      const label = `m${drafts.length}`;
      drafts.push({
        calls: [],
        answers: undefined,
        ...detail,
        id: detail.named ? label : undefined,
        label,
        ...spec,
      });
    },
  };
}

function writeSegment(writer: Writer, part: Segment): void {
  if (part.kind !== "turn") {
    writer.write({ role: part.kind }, part.detail);
    return;
  }
  writer.write({ role: "human" }, part.detail);
  for (const one of part.steps) {
    if (one.kind === "say") writer.write({ role: "ai" }, one.detail);
    else writeCalls(writer, one);
  }
}

function writeCalls(writer: Writer, step: Extract<Step, { kind: "call" }>): void {
  const calls = Array.from({ length: step.parallel }, () => writer.newCall());
  let next = 0;
  const detail = (): Detail => step.details[next++ % step.details.length] as Detail;
  const rows = step.rows ? calls.map((call) => [call]) : [calls];
  for (const row of rows) {
    const written = detail();
    const silent = written.variant % 2 === 0;
    writer.write({ role: "ai", calls: row, ...(silent ? { content: "absent" as const } : {}) }, written);
  }
  // An unknown role may stand between a call and its results: it is transparent.
  if (step.aside === 0) writer.write({ role: "other" }, detail());
  const turned = step.order % calls.length;
  for (const call of [...calls.slice(turned), ...calls.slice(0, turned)]) {
    const written = detail();
    const content = written.content === "image" ? "string" : written.content;
    writer.write({ role: "tool", answers: call, content }, written);
  }
}

const DAMAGES = [
  "drop",
  "drop",
  "repeat-object",
  "repeat-copy",
  "swap",
  "move",
  "orphan",
  "repeat-result",
  "empty-human",
  "empty-ai",
  "empty-system",
  "unreadable",
  "system",
  "function",
  "other",
  "reuse-call",
  "same-id",
  "no-ids",
  "open-call",
] as const;

interface Damage {
  readonly op: (typeof DAMAGES)[number];
  readonly at: number;
  readonly to: number;
  readonly detail: Detail;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  op: fc.constantFrom(...DAMAGES),
  at: fc.nat(1000),
  to: fc.nat(1000),
  detail,
});

/** Valid histories with one to six of the damages that crashes, interrupts, edits and other trimmers leave behind. */
export const damagedHistories: fc.Arbitrary<Draft[]> = fc
  .record({ drafts: validHistories, damages: fc.array(damage, { minLength: 1, maxLength: 6 }) })
  .map(({ drafts, damages }) =>
    damages.reduce((list, one, index) => applyDamage(list, one, `d${index}`), drafts),
  );

/** Both kinds. */
export const anyHistories: fc.Arbitrary<Draft[]> = fc.oneof(
  validHistories,
  damagedHistories,
  damagedHistories,
);

function applyDamage(list: readonly Draft[], { op, at, to, detail: drawn }: Damage, label: string): Draft[] {
  const make = (spec: Spec): Draft => ({
    calls: [],
    answers: undefined,
    ...drawn,
    id: drawn.named ? label : undefined,
    label,
    ...spec,
  });
  const insert = (draft: Draft): Draft[] => list.toSpliced(at % (list.length + 1), 0, draft);
  const empty: Content = (["blank", "no-parts", "absent"] as const)[to % 3] ?? "blank";
  switch (op) {
    case "orphan":
      return insert(make({ role: "tool", answers: `z${to % 3}`, content: "string" }));
    case "open-call":
      return insert(make({ role: "ai", calls: [`${label}-call`] }));
    case "empty-human":
      return insert(make({ role: "human", content: empty }));
    case "empty-ai":
      return insert(make({ role: "ai", content: empty }));
    case "empty-system":
      return insert(make({ role: "system", content: empty }));
    case "unreadable":
    case "system":
    case "function":
    case "other":
      return insert(make({ role: op }));
    case "no-ids":
      return list.map((draft) => ({ ...draft, id: undefined }));
    default:
      return list.length === 0 ? [] : damageExisting(list, op, at % list.length, to, label);
  }
}

function damageExisting(
  list: readonly Draft[],
  op: Damage["op"],
  at: number,
  to: number,
  label: string,
): Draft[] {
  const draft = list[at] as Draft;
  const other = to % list.length;
  switch (op) {
    case "drop":
      return list.toSpliced(at, 1);
    case "repeat-object":
      return list.toSpliced(to % (list.length + 1), 0, draft);
    case "repeat-copy":
      return list.toSpliced(to % (list.length + 1), 0, { ...draft });
    case "swap":
    case "move":
      return list.toSpliced(at, 1).toSpliced(op === "swap" ? at + 1 : other, 0, draft);
    case "same-id":
      return list.with(at, { ...draft, id: (list[other] as Draft).id });
    case "repeat-result": {
      const result = list.slice(at).find((one) => one.role === "tool") ?? draft;
      return list.toSpliced(list.indexOf(result) + 1, 0, { ...result, label, id: label });
    }
    default:
      return reuseCall(list, at, other);
  }
}

/** Gives a later exchange the call id of an earlier one, as providers that number calls per request do. */
function reuseCall(list: readonly Draft[], at: number, to: number): Draft[] {
  const earlier = list.slice(Math.min(at, to)).find((draft) => draft.calls.length > 0)?.calls[0];
  const later = list
    .slice(Math.max(at, to))
    .find((draft) => draft.calls.length > 0)
    ?.calls.at(-1);
  const answered = list.findIndex((draft) => draft.answers === earlier);
  const again = list.findIndex((draft) => later !== undefined && draft.calls.includes(later));
  if (earlier === undefined || later === undefined || answered < 0 || answered > again) return [...list];
  const rename = (call: string): string => (call === later ? earlier : call);
  return list.map((draft) =>
    draft.calls.includes(later) || draft.answers === later
      ? {
          ...draft,
          calls: draft.calls.map(rename),
          answers: draft.answers === undefined ? undefined : rename(draft.answers),
        }
      : draft,
  );
}
