import { analyze } from "./analyze.ts";

/**
 * English words that only hold a sentence together. `may`, `will`, `us` and `mark` are not among them: they are also a month, a person, a
 * country, a name. Of contractions both the whole (`don't`) and what is left without the apostrophe.
 */
const words = `
a an the this that these those
and or but nor if then than so as because while until though although
about above across after against along among around at before behind below beneath beside besides between beyond by down during except
for from in inside into of off on onto out outside over per since through throughout to toward towards under up upon via with
within without
i me my mine myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself
they them their theirs themselves one ones
who whom whose which what when where why how whoever whatever whenever wherever
be am is are was were been being do does did doing done have has had having can could shall should would must might
not no nor only own same too very just also again once ever even still yet here there now
all any both each few more most much many other others some such
i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll we're we've we'd we'll they're they've they'd they'll
who's what's where's when's why's how's that's there's here's it's let's that'll who'd
isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot couldn't shan't shouldn't wouldn't won't mustn't mightn't
`;

const stopTerms: ReadonlySet<string> = new Set(analyze(words));

/** True for a term of {@link analyze} that says nothing of what a text is about: an English function word. */
export function isStopTerm(term: string): boolean {
  return stopTerms.has(term);
}
