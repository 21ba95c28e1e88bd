export { calledBy, type WaitingCall } from "./called.ts";
export { type EstimateOptions, estimateTokens, type MediaTokens, tokensOfRecord } from "./estimate-tokens.ts";
export {
  contentHashOf,
  isStamped,
  isUnchanged,
  type MessageRecord,
  recordOf,
  type Stamps,
  stamp,
  trait,
} from "./record.ts";
export { rewriteTexts } from "./rewrite-texts.ts";
export { findSummaryBlocks, makeSummaryBlock, type SummaryBlock } from "./summary-block.ts";
export type { MessageRole, MessageView } from "./view.ts";
export { viewOf } from "./view-of.ts";
