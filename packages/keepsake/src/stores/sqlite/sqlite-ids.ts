/** Ids joined by commas, as `group_concat` gives them: one text is read many times faster than that many rows. */
export function idsIn(joined: unknown): Float64Array {
  if (typeof joined !== "string") return new Float64Array(0);
  const comma = 44;
  const zero = 48;
  let count = 1;
  for (let index = 0; index < joined.length; index += 1) if (joined.charCodeAt(index) === comma) count += 1;
  const ids = new Float64Array(count);
  let position = 0;
  let id = 0;
  for (let index = 0; index < joined.length; index += 1) {
    const code = joined.charCodeAt(index);
    if (code === comma) {
      ids[position] = id;
      position += 1;
      id = 0;
    } else {
      id = id * 10 + code - zero;
    }
  }
  ids[position] = id;
  return ids;
}
