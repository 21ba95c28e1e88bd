/** A turn of a dialogue, as an app would hold it. */
export interface DialogueMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly name: string;
  readonly content: string;
  /** ISO 8601: the time of the session, as the file has none for a turn. */
  readonly timestamp: string;
}

/** A question, with the ids of the turns that hold the evidence for its answer. */
export interface Question {
  readonly text: string;
  readonly category: number;
  readonly evidence: readonly string[];
}

/** One conversation of the file. */
export interface Dialogue {
  readonly id: string;
  readonly messages: readonly DialogueMessage[];
  /** Those with at least one evidence id that is a turn of this conversation. */
  readonly questions: readonly Question[];
  /** Questions left out, because none of their evidence ids is a turn. */
  readonly unresolved: number;
}

/** Reads the text of a file of LoCoMo's format: a list of samples with `sample_id`, `conversation` and `qa`. */
export function parseDialogues(text: string): Dialogue[] {
  return listAt(JSON.parse(text), "the file").map((sample, index) => {
    const { sample_id: id, conversation, qa } = recordAt(sample, `sample ${index}`);
    const messages = messagesOf(recordAt(conversation, `conversation of sample ${index}`));
    const ids = new Set(messages.map((message) => message.id));
    const questions = listAt(qa, `qa of sample ${index}`).map((item) => questionOf(item, ids));
    const resolved = questions.filter((question) => question.evidence.length > 0);
    return {
      id: String(id ?? index),
      messages,
      questions: resolved,
      unresolved: questions.length - resolved.length,
    };
  });
}

/** The evidence ids that are turns, each once: the file joins some with `;`, `,` or a space. */
function questionOf(item: unknown, turnIds: ReadonlySet<string>): Question {
  const { question, category, evidence } = recordAt(item, "a question");
  const ids = listAt(evidence ?? [], "evidence").flatMap((entry) => String(entry).split(/[;,\s]+/));
  return {
    text: String(question),
    category: Number(category),
    evidence: [...new Set(ids.filter((id) => turnIds.has(id)))],
  };
}

function messagesOf(conversation: Record<string, unknown>): DialogueMessage[] {
  const messages: DialogueMessage[] = [];
  for (let session = 1; `session_${session}_date_time` in conversation; session += 1) {
    const turns = conversation[`session_${session}`];
    if (turns === undefined) continue;
    const timestamp = sessionTime(String(conversation[`session_${session}_date_time`]));
    for (const turn of listAt(turns, `session ${session}`)) {
      messages.push(
        messageOf(recordAt(turn, `a turn of session ${session}`), conversation.speaker_a, timestamp),
      );
    }
  }
  return messages;
}

/** The caption of a picture stands where the picture stood. */
function messageOf(turn: Record<string, unknown>, user: unknown, timestamp: string): DialogueMessage {
  const picture = turn.blip_caption === undefined ? [] : [`[image: ${String(turn.blip_caption)}]`];
  return {
    id: String(turn.dia_id),
    role: turn.speaker === user ? "user" : "assistant",
    name: String(turn.speaker),
    content: [String(turn.text), ...picture].join("\n"),
    timestamp,
  };
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `"1:56 pm on 8 May, 2023"` → `"2023-05-08T13:56:00.000Z"` */
export function sessionTime(text: string): string {
  const match = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w{3})\w*,? (\d{4})$/.exec(text.trim());
  const month = months.indexOf(match?.[5]?.toLowerCase() ?? "");
  if (match === null || month < 0)
    throw new Error(`"${text}" is not a session time such as "1:56 pm on 8 May, 2023"`);
  const hour = (Number(match[1]) % 12) + (match[3] === "pm" ? 12 : 0);
  return new Date(Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]))).toISOString();
}

function recordAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Error(`${place} is not an object`);
  return value as Record<string, unknown>;
}

function listAt(value: unknown, place: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${place} is not a list`);
  return value;
}
