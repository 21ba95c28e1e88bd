import { asJson, type SalvagedValue, salvageJson } from "../salvage.ts";
import type { ModelAnswer } from "./types.ts";

/** The JSON values that an answer holds, whether the model gave a value, a text, or a text where a value should be. */
export function answerValues({ value, text = "" }: ModelAnswer): readonly SalvagedValue[] {
  if (value === undefined || value === null) return salvageJson(text);
  if (typeof value === "string") return salvageJson(value);
  const json = asJson(value);
  return json === undefined ? [] : [{ value: json, complete: true, alone: true }];
}
