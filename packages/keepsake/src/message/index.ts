export { estimateTokens } from "./estimate-tokens.ts";
export { contentHashOf, type MessageRecord, recordOf } from "./record.ts";
export { findSummaryBlocks, makeSummaryBlock, type SummaryBlock } from "./summary-block.ts";
export type { MessageRole, MessageView } from "./view.ts";
export { viewOf } from "./view-of.ts";
