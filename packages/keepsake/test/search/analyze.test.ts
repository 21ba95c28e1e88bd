import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyze, analyzeQuery } from "../../src/search/analyze.ts";

describe("analyze", () => {
  test.each<[text: string, terms: string[]]>([
    ["", []],
    [" \n\t.,;!? ", []],
    ["Booked the flights", ["book", "the", "flight"]],
    ["ÀÉÎõü Ångström Łódź", ["aeiou", "angstrom", "lodz"]],
    ["Straße Æsir œuvre Øre", ["strass", "aesir", "oeuvr", "ore"]],
    ["İstanbul ısı ΟΔΟΣ οδος", ["istanbul", "isi", "οδοσ", "οδοσ"]],
    ["ё й Й", ["е", "и", "и"]],
    ["ﬁ Ⅷ ² ½ ｆｕｌｌ", ["fi", "viii", "2", "1", "2", "full"]],
    ["שָׁלוֹם مُحَمَّد آب", ["שלום", "محمد", "اب"]],
    ["हिन्दी", ["हिन्दी"]],
    ["soft\u00adhyphen zero\u200cwidth", ["softhyphen", "zerowidth"]],
    ["QX7-88", ["qx7-88", "qx7", "88"]],
    ["snake_case kebab-case", ["snake_case", "snake", "case", "kebab-case", "kebab", "case"]],
    [
      "a.user@mail.example.com",
      ["a.user@mail.example.com", "a.user", "a", "user", "mail.example.com", "mail", "exampl", "com"],
    ],
    ["src/store/types.ts:42", ["src/store/types.ts:42", "src", "store", "types.ts", "type", "ts", "42"]],
    ["#123 @alice C# end.", ["#123", "123", "@alice", "alic", "c#", "c", "end"]],
    ["3.14 10:30 2026-05-07", ["3.14", "3", "14", "10:30", "10", "30", "2026-05-07", "2026", "05", "07"]],
    ["well -- known, - a-", ["well", "know", "a"]],
    ["Asha's don't we'll l’avion rock'n'roll", ["asha", "dont", "well", "l", "avion", "rock", "n", "roll"]],
    ["don't-care 'quoted'", ["dont-care", "dont", "care", "quot"]],
    ["我住北京", ["我", "我住", "住", "住北", "北", "北京", "京"]],
    ["iPhone手机v2", ["iphon", "手", "手机", "机", "v2"]],
    ["北京-上海", ["北", "北京", "京", "上", "上海", "海"]],
    ["ｶﾞｲﾄﾞ が", ["ガ", "ガイ", "イ", "イド", "ド", "が"]],
    ["서울", ["서", "서울", "울"]],
    ["👍🏽 👩🏽‍💻❤️🇵🇹🇯🇵", ["👍🏽", "👍", "👩🏽‍💻", "👩‍💻", "❤", "🇵🇹", "🇯🇵"]],
    ["a\0b \ud800c\udc00", ["a", "b", "c"]],
  ])("%j", (text, terms) => {
    expect(analyze(text)).toEqual(terms);
  });

  test("a query takes pairs of characters, and a single one where it stands alone", () => {
    expect(analyzeQuery("我住北京 京")).toEqual(["我住", "住北", "北京", "京"]);
  });

  test("a word too long for a term is found whole, and not by its beginning", () => {
    const long = "a1".repeat(500);
    const [term] = analyze(long);
    expect(term).toMatch(/^~[0-9a-f]{32}$/);
    expect(analyzeQuery(long.toUpperCase())).toEqual([term]);
    expect(analyze(`${long}b`)).not.toEqual([term]);
  });

  test("every term is short, folded, and free of what indexes use between terms", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom(..."aB1-_./#:@'~|\"*京がé\u0301\u200d👩🏽🇵\ud800\0 "),
        maxLength: 30,
      }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        for (const term of [...analyze(pieces.join(" ")), ...analyzeQuery(pieces.join(""))]) {
          expect(term.length).toBeLessThanOrEqual(64);
          expect(term).toMatch(
            /^(?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\-_./#:@~]|\u200d)+$/u,
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a text is found by each of its parts that stands between spaces", () => {
    const word = fc.string({
      unit: fc.constantFrom(..."abcXYZ012-_./#:@京都がé👍"),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (list) => {
        const terms = new Set(analyze(list.join(" ")));
        for (const each of list) for (const term of analyzeQuery(each)) expect(terms).toContain(term);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[name: string, text: string]>([
    ["words", "The quick brown foxes were jumping over lazy dogs. ".repeat(20_000)],
    ["one word", "a".repeat(1_000_000)],
    ["joined", "a-".repeat(500_000)],
    ["joiners", "-_./#:@'".repeat(125_000)],
    ["apostrophes", "a'".repeat(500_000)],
    ["marks", `a${"\u0301\u0316".repeat(500_000)}`],
    ["marks that stay", `ก${"\u0e38\u0e48".repeat(500_000)}`],
    ["han", "我住在北京".repeat(70_000)],
    ["emoji", `👩${"\u200d👩".repeat(300_000)}`],
    ["surrogates", "\ud800".repeat(1_000_000)],
    ["endings", "ingedlyness".repeat(90_000)],
  ])("a megabyte of %s is analysed", { timeout: 30_000 }, (_, text) => {
    // Anything but linear time takes minutes and runs into the time limit.
    expect(analyze(text).length).toBeLessThan(2 * text.length);
  });
});
