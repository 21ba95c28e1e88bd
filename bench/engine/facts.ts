const people = ["Asha", "Ben", "Chen", "Dora", "Emil", "Fatou", "Goran", "Hana"];
const verbs = ["likes", "owns", "booked", "visited", "sold", "wants", "lost", "painted", "ordered", "avoids"];
const adjectives = ["red", "old", "quiet", "cheap", "wooden", "spicy", "late", "small", "foreign", "broken"];
const things = [
  ...["boat", "seat", "guitar", "hotel", "garden", "ticket", "lamp", "curry", "bicycle", "novel"],
  ...["camera", "office", "bridge", "kettle", "jacket", "train", "museum", "harbour", "recipe", "piano"],
];
const places = ["Lisbon", "Porto", "Faro", "Rome", "Oslo", "Bern", "Lagos", "Kyoto", "Quito", "Delhi"];

/** Sentences of nine words as extractors write them, each once, the same in each run. */
export function createTexts(seed: number): () => string {
  let state = seed * 7919 + 12345;
  let count = 0;
  const pick = (words: readonly string[]): string => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return words[(state >>> 8) % words.length] ?? "";
  };
  return () => {
    count += 1;
    const sentence = [pick(people), pick(verbs), "a", pick(adjectives), pick(things), "in", pick(places)];
    return `${sentence.join(" ")}, order ${seed}-${count}`;
  };
}
