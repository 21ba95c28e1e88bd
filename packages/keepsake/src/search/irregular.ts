/** Forms that no suffix rule leads back to their word. Left out are those that are more often another word: `rose`, `bit`, `ground`. */
const forms = `
become became; begin began begun; bend bent; bite bitten; blow blew blown; break broke broken; bring brought; build built; buy bought;
catch caught; choose chose chosen; come came; deal dealt; dig dug; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten;
fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown; forget forgot forgotten; freeze froze frozen;
get got gotten; give gave given; go goes went gone; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept;
know knew known; lead led; leave left; lend lent; light lit; lose lost; make made; mean meant; meet met; pay paid; ride rode ridden;
ring rang rung; rise risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shoot shot;
show shown; sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood; steal stole stolen;
stick stuck; strike struck; swear swore sworn; swim swam swum; take took taken; teach taught; tear tore torn; tell told;
think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; win won; write wrote written;
child children; foot feet; knife knives; man men; mouse mice; tooth teeth; wife wives; woman women
`;

/** The word of an irregular English form: `bought` is `buy`. */
export const irregular: ReadonlyMap<string, string> = new Map(
  forms.split(";").flatMap((line) => {
    const [word = "", ...others] = line.trim().split(" ");
    return others.map((form): [string, string] => [form, word]);
  }),
);
