/** A fenced block: its language word, its text, and the line of its opening fence. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** A piece of text with the line that it stands on. */
export interface Located {
  readonly text: string;
  readonly line: number;
}

/** What the checks read in a Markdown page. */
export interface Markdown {
  /** Targets of links and images. */
  readonly links: readonly Located[];
  /** `code` within sentences. */
  readonly spans: readonly Located[];
  readonly fences: readonly Fence[];
  /** The anchors that its headings have on GitHub. */
  readonly anchors: ReadonlySet<string>;
}

/** Reads a page line by line; knows as much Markdown as this repository uses. */
export function parseMarkdown(text: string): Markdown {
  const links: Located[] = [];
  const spans: Located[] = [];
  const fences: Fence[] = [];
  const anchors = new Set<string>();
  let open: { language: string; line: number; body: string[] } | undefined;
  text.split("\n").forEach((content, index) => {
    const line = index + 1;
    const fence = /^\s*```(\w*)/.exec(content);
    if (open !== undefined) {
      if (fence === null) open.body.push(content);
      else fences.push({ language: open.language, line: open.line, text: open.body.join("\n") });
      if (fence !== null) open = undefined;
      return;
    }
    if (fence !== null) {
      open = { language: fence[1] ?? "", line, body: [] };
      return;
    }
    const heading = /^#+\s+(.*)$/.exec(content)?.[1];
    if (heading !== undefined) anchors.add(anchorOf(heading));
    for (const span of content.matchAll(/`([^`]+)`/g)) spans.push({ text: span[1] ?? "", line });
    const prose = content.replace(/`[^`]*`/g, "``");
    for (const link of prose.matchAll(/\]\(([^)\s]+)\)/g)) links.push({ text: link[1] ?? "", line });
  });
  return { links, spans, fences, anchors };
}

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
