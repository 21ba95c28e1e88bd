import { textSource } from "../store/texts.ts";

/** Sentences of ten words that occur as often as words do, each once, the same in each run. */
export function createTexts(): () => string {
  const source = textSource();
  let count = 0;
  return () => {
    count += 1;
    return `${source.text(9)} number${count}`;
  };
}
