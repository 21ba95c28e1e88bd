import { isRecord } from "../util/index.ts";
import { readDocument } from "./anthropic.ts";
import {
  type Body,
  callPart,
  jsonPart,
  marker,
  mediaPart,
  type Part,
  type PartReader,
  resultPart,
  sealedPart,
  textPart,
  unique,
} from "./part.ts";

const cited: PartReader = (block, textIn) => textPart(textIn(block.content));

/**
 * The blocks of Bedrock's Converse and of Strands by their only property, `{ toolUse: { … } }`; the instances of Strands' classes hold the
 * same under a type, `toolUseBlock`.
 */
export const bedrockBlocks: Readonly<Record<string, PartReader>> = {
  toolUse: (block) => ({ ...callPart(block.toolUseId, block.name, block.input), nature: unique }),
  toolResult: (block, textIn) => resultPart(block.toolUseId, textIn(block.content)),
  reasoningContent: ({ reasoningText, redactedContent }) =>
    sealedPart(redactedContent, isRecord(reasoningText) ? reasoningText.text : ""),
  reasoning: (block) => sealedPart(block.redactedContent, block.text),
  cachePoint: () => marker,
  guardContent: readGuarded,
  citationsContent: cited,
  citations: cited,
  searchResult: cited,
  document: readDocument,
  image: () => mediaPart("image"),
  video: () => mediaPart("video"),
  audio: () => mediaPart("audio"),
  json: ({ json }) => jsonPart(json),
  toolAddition: () => marker,
  toolRemoval: () => marker,
};

/** The key that the type of a block's class stands for: `toolUseBlock` → `toolUse`. */
export function blockKey(type: string): string {
  return type.endsWith("Block") ? type.slice(0, -"Block".length) : "";
}

/** True where Strands' own mark says that a message must stay. */
export function isPinned({ metadata }: Body): boolean {
  return isRecord(metadata) && isRecord(metadata.custom) && metadata.custom.pinned === true;
}

function readGuarded({ text }: Body): Part {
  if (text === undefined) return mediaPart("image");
  return textPart(isRecord(text) ? text.text : text);
}
