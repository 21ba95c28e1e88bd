import { type Passage, passages } from "./passages.ts";
import { type Program, programs } from "./programs.ts";

/** What the estimate is held to: the largest share by which it may be off. */
export interface TextKind {
  readonly name: string;
  readonly tolerance: number;
  /** True for excerpts of texts that were not made for the bench: their words are as many as words are. */
  readonly isNatural?: boolean;
  /** A text of about so many characters, the same for a seed in every run. */
  readonly make: (length: number, seed: number) => string;
}

/** The tolerances that the library promises. */
const strict = 0.15;
const wide = 0.35;

const sentences = (name: string, key: Passage, tolerance: number): TextKind => ({
  name,
  tolerance,
  make: makerOf(passages[key].split("\n"), " "),
});
const code = (name: string, key: Program): TextKind => ({
  name,
  tolerance: strict,
  make: makerOf(programs[key].split("\n\n"), "\n\n"),
});

/** Every kind of text that the bench measures. */
export const textKinds: readonly TextKind[] = [
  sentences("English", "english", strict),
  code("TypeScript", "typescript"),
  code("Python", "python"),
  code("SQL, C, Go, Rust, HTML, CSS, YAML", "others"),
  { name: "JSON", tolerance: strict, make: jsonMaker(0) },
  { name: "JSON, indented", tolerance: strict, make: jsonMaker(2) },
  sentences("Chinese", "chinese", wide),
  sentences("Chinese, traditional", "traditionalChinese", wide),
  sentences("Japanese", "japanese", wide),
  sentences("Korean", "korean", wide),
  sentences("Russian", "russian", wide),
  sentences("Ukrainian", "ukrainian", wide),
  {
    name: "emoji",
    tolerance: wide,
    make: makerOf(linesOf([..."😂🤣👍😭🙏😘🥰😍😊🎉😁🔥🙄🤗😉🎂🤔👏😎💪✨👀😋🚀🌈🦄🐛💡🍕🎸🏡🧩"]), "\n"),
  },
  { name: "emoji sequences", tolerance: wide, make: makerOf(linesOf(emojiSequences()), "\n") },
  sentences("German", "german", wide),
  sentences("French", "french", wide),
  sentences("Spanish", "spanish", wide),
  sentences("Greek", "greek", wide),
  sentences("Arabic", "arabic", wide),
  sentences("Hebrew", "hebrew", wide),
  sentences("Hindi", "hindi", wide),
  sentences("Thai", "thai", wide),
  { name: "numbers", tolerance: wide, make: numbers },
  {
    name: "base64",
    tolerance: wide,
    make: dense("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
  },
  { name: "hexadecimal", tolerance: wide, make: dense("0123456789abcdef") },
];

/** Families, flags, skin tones, professions, keycaps, hearts with a selector. */
function emojiSequences(): string[] {
  return "👩‍👩‍👧‍👦 👨‍👩‍👧 👨🏿‍🚀 👩🏽‍💻 🧑‍🤝‍🧑 🏳️‍🌈 🏴‍☠️ 👍🏽 👋🏻 🙏🏾 🇩🇪 🇯🇵 🇵🇹 🇧🇷 🇺🇦 1️⃣ 3️⃣ #️⃣ ❤️‍🔥 ❤️ ☀️ ✌️ 🤷‍♀️ 🧔‍♂️ 👩‍🔬 🐻‍❄️".split(
    " ",
  );
}

/** Lines of a dozen: a tokeniser's time grows with the square of a run of them. */
function linesOf(signs: readonly string[]): string[] {
  const random = randomSource(5);
  return Array.from({ length: 40 }, () => Array.from({ length: 12 }, () => pick(signs, random)).join(""));
}

/** Texts of parts in a random order, joined until they are long enough. */
function makerOf(parts: readonly string[], joint: string): TextKind["make"] {
  return (length, seed) => {
    const random = randomSource(seed);
    let text = "";
    while (text.length < length) text += (text === "" ? "" : joint) + pick(parts, random);
    return text;
  };
}

/** A list of records as tools give and take them. */
function jsonMaker(indent: number): TextKind["make"] {
  return (length, seed) => {
    const random = randomSource(seed);
    const records: unknown[] = [];
    for (let size = 0; size < length; ) {
      const record = recordOf(random, records.length);
      records.push(record);
      size += JSON.stringify(record, undefined, indent).length + 1;
    }
    return JSON.stringify(records, undefined, indent);
  };
}

function recordOf(random: () => number, index: number): unknown {
  const english = passages.english.split("\n");
  const day = (): string =>
    `2026-${1 + (random() % 9)}1-${10 + (random() % 18)}T09:${10 + (random() % 49)}:00Z`;
  return pick<unknown>(
    [
      { id: index, name: pick(["Asha Rao", "Tom Baker", "Yuki Mori"], random), isActive: random() % 2 === 0 },
      {
        type: "flight",
        from: "LIS",
        to: "ZRH",
        departsAt: day(),
        price: { amount: random() % 900, currency: "EUR" },
        seats: ["12A", "14C"],
      },
      { role: "user", content: pick(english, random), metadata: { source: "chat", tokens: random() % 400 } },
      {
        path: `src/components/${pick(["button", "dialog", "table"], random)}.tsx`,
        line: random() % 800,
        severity: "warning",
        message: pick(english, random),
      },
      {
        query: "restaurants near the station",
        filters: { open_now: true, max_price: random() % 4, cuisine: null },
        limit: 10,
        offset: random() % 100,
      },
      {
        orderId: `ord_${random().toString(36)}`,
        items: [{ sku: `SKU-${random() % 9999}`, quantity: 1 + (random() % 5), unitPrice: 19.99 }],
        total: (random() % 50_000) / 100,
      },
    ],
    random,
  );
}

function numbers(length: number, seed: number): string {
  const random = randomSource(seed);
  let text = "";
  while (text.length < length)
    text += `${(random() % 10 ** (1 + (random() % 7))) / (random() % 2 === 0 ? 1 : 100)}, `;
  return text;
}

function dense(alphabet: string): TextKind["make"] {
  return (length, seed) => {
    const random = randomSource(seed);
    return Array.from({ length }, () => pick([...alphabet], random)).join("");
  };
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[random() % list.length] as T;
}

/** A linear congruential generator: the same texts on every machine. */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
