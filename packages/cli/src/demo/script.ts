/** What the tool of the travel agent is asked, and what it answers. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, string | number>>;
  readonly output: string;
}

/** One turn: what the traveller says, what the agent looks up, what it answers. */
export interface ScriptedTurn {
  readonly user: string;
  readonly calls?: readonly ScriptedCall[];
  readonly agent: string;
}

/** The turns of one day. */
export interface ScriptedSitting {
  /** When it began: ISO 8601, UTC. */
  readonly at: string;
  readonly turns: readonly ScriptedTurn[];
}

/** A question whose answer has left the window, and a word that the turn with the answer must hold. */
export interface ScriptedQuestion {
  readonly question: string;
  readonly answer: string;
}

export const systemPrompt =
  "You are the travel agent of Elena Duarte. Plan with her, book what she asks for, and keep to what she prefers.";

export const questions: readonly ScriptedQuestion[] = [
  { question: "Which seat do I want on the long flight?", answer: "window" },
  { question: "What is 田中美咲 allergic to?", answer: "buckwheat" },
  { question: "What is the confirmation code of the ryokan in Kyoto?", answer: "KSE-4471" },
];

/** Thirty turns of one traveller with her agent, over four days. */
export const sittings: readonly ScriptedSitting[] = [
  {
    at: "2026-03-02T09:00:00Z",
    turns: [
      {
        user: "Hi! I'd like to see Japan this spring, about ten days. Can you plan that with me?",
        agent: "With pleasure, Elena. When would you like to leave, and from where?",
      },
      {
        user: "From Lisbon, on 4 April if possible. I have to be back at work on the 16th.",
        calls: [
          {
            tool: "search_flights",
            input: { from: "LIS", to: "HND", date: "2026-04-04" },
            output:
              "TP 1364 + NH 212 via London, 17 h 40, 1 090 EUR; AY 1740 + AY 61 via Helsinki, 18 h 05, 985 EUR",
          },
        ],
        agent: "Two good ones on 4 April: via London for 1 090 euros, or via Helsinki for 985.",
      },
      {
        user: "Helsinki then. An aisle seat for the long flight please, I always take the aisle.",
        calls: [
          {
            tool: "hold_seat",
            input: { flight: "AY 61", seat: "24C" },
            output: "24C (aisle) on AY 61 held until 6 March",
          },
        ],
        agent: "Held: 24C, on the aisle.",
      },
      {
        user: "What is the weather like in Kyoto around then?",
        calls: [
          {
            tool: "climate",
            input: { city: "Kyoto", month: "April" },
            output: "mean 14 °C, high 20 °C, low 9 °C, 10 days with rain",
          },
        ],
        agent:
          "Mild: about 20 degrees by day, 9 at night, and some rain. The last cherry trees will be in bloom.",
      },
      {
        user: "Lovely. I'd rather sleep in a small ryokan there than in a hotel.",
        calls: [
          {
            tool: "search_stays",
            input: { city: "Kyoto", kind: "ryokan", from: "2026-04-08", to: "2026-04-12" },
            output:
              "春風荘 (Harukaze-so), 9 rooms, Higashiyama, 168 EUR a night; 竹の庵, 14 rooms, Arashiyama, 205 EUR a night",
          },
        ],
        agent: "I found two: 春風荘 in Higashiyama with nine rooms, and 竹の庵 in Arashiyama with fourteen.",
      },
      {
        user: "My friend 田中美咲 will join me for dinner in Kyoto on 11 April. She is allergic to buckwheat, so please no soba place.",
        agent: "Noted for the 11th: a table for two, and nothing with soba.",
      },
      {
        user: "Take 春風荘, four nights from the 8th.",
        calls: [
          {
            tool: "book_stay",
            input: { stay: "春風荘", from: "2026-04-08", nights: 4 },
            output: "confirmed, code KSE-4471, pay on arrival, free to cancel until 1 April",
          },
        ],
        agent: "The ryokan in Kyoto is booked: 春風荘, 8 to 12 April, confirmation code KSE-4471.",
      },
      {
        user: "Great, thank you. More tomorrow!",
        agent: "Until tomorrow, Elena.",
      },
    ],
  },
  {
    at: "2026-03-03T18:30:00Z",
    turns: [
      {
        user: "I changed my mind about the long flight: not the aisle, I want a window seat. I'd like to see Siberia from above.",
        calls: [
          {
            tool: "hold_seat",
            input: { flight: "AY 61", seat: "27A" },
            output: "27A on AY 61 held until 6 March; 24C released",
          },
        ],
        agent: "Changed: 27A by the window instead of 24C.",
      },
      {
        user: "And how do I get from Tokyo to Kyoto?",
        calls: [
          {
            tool: "search_trains",
            input: { from: "Tokyo", to: "Kyoto", date: "2026-04-08" },
            output: "Nozomi every 10 minutes, 2 h 15, 13 970 JPY; Hikari twice an hour, 2 h 40, 13 650 JPY",
          },
        ],
        agent: "By Shinkansen: the Nozomi takes two and a quarter hours and leaves every ten minutes.",
      },
      {
        user: "Is a rail pass worth it for me?",
        agent: "Not for one return trip: the pass costs 50 000 yen, your two tickets about 28 000.",
      },
      {
        user: "Then single tickets. Is there a carriage where it is quiet?",
        agent:
          "Yes, the S Work carriage is number 7, but it is meant for work. I would take an ordinary seat on the side of Mount Fuji: E.",
      },
      {
        user: "E it is, on the way there.",
        calls: [
          {
            tool: "book_train",
            input: { train: "Nozomi 215", date: "2026-04-08", seat: "11E" },
            output: "reserved, Nozomi 215, 10:21, carriage 12, seat 11E",
          },
        ],
        agent: "Reserved: Nozomi 215 at 10:21 on 8 April, carriage 12, seat 11E.",
      },
      {
        user: "Where should I stay in Tokyo before that? Somewhere I can walk in the evening.",
        calls: [
          {
            tool: "search_stays",
            input: { city: "Tokyo", kind: "hotel", from: "2026-04-05", to: "2026-04-08" },
            output:
              "Hotel Sumida Bridge, Asakusa, 121 EUR; Yanaka Corner House, Yanaka, 98 EUR; Gate Inn, Shinjuku, 140 EUR",
          },
        ],
        agent:
          "Yanaka is made for that: narrow lanes, temples, little shops. The Corner House there costs 98 euros a night.",
      },
      {
        user: "Yanaka sounds right. Three nights please.",
        calls: [
          {
            tool: "book_stay",
            input: { stay: "Yanaka Corner House", from: "2026-04-05", nights: 3 },
            output: "confirmed, code YCH-209, breakfast included",
          },
        ],
        agent: "Booked, 5 to 8 April, with breakfast. Their code is YCH-209.",
      },
    ],
  },
  {
    at: "2026-03-05T12:10:00Z",
    turns: [
      {
        user: "A restaurant for the evening with my friend: something with vegetables, not too formal.",
        calls: [
          {
            tool: "search_tables",
            input: { city: "Kyoto", date: "2026-04-11", guests: 2, kitchen: "vegetables" },
            output: "Nagaya Saien, 19:00, counter or garden room; Midori no Ma, 18:30, counter",
          },
        ],
        agent:
          "Nagaya Saien has the garden room free at seven. It cooks Kyoto vegetables, and no noodles at all.",
      },
      {
        user: "The garden room, please.",
        calls: [
          {
            tool: "book_table",
            input: { place: "Nagaya Saien", date: "2026-04-11", time: "19:00", guests: 2 },
            output: "reserved for Duarte, garden room",
          },
        ],
        agent: "It is yours at seven, in the name of Duarte.",
      },
      {
        user: "Do I need cash, or do they take cards everywhere?",
        agent: "Cards in the cities, but carry 10 000 yen: temples and small places like coins.",
      },
      {
        user: "What about a phone card for data?",
        calls: [
          { tool: "search_esim", input: { country: "JP", days: 11 }, output: "10 GB 14 EUR; 20 GB 21 EUR" },
        ],
        agent: "An eSIM with 10 GB for 14 euros will do for eleven days.",
      },
      {
        user: "Good. And which day is best for the Fushimi Inari gates?",
        agent: "Thursday the 9th, before eight in the morning: later the path is full.",
      },
      {
        user: "Early is fine, I am up at six anyway.",
        agent: "Then the 9th at half past six, and breakfast at the ryokan afterwards.",
      },
      {
        user: "Can I leave my big suitcase in Tokyo while I am in Kyoto?",
        calls: [
          {
            tool: "luggage_service",
            input: { from: "Yanaka", to: "Haneda", date: "2026-04-08" },
            output: "sent on the 8th, kept at Haneda terminal 3, 2 640 JPY",
          },
        ],
        agent: "Better: it travels ahead to Haneda and waits there, for 2 640 yen.",
      },
    ],
  },
  {
    at: "2026-03-09T08:15:00Z",
    turns: [
      {
        user: "Good morning. Did the price of the flight change?",
        calls: [
          {
            tool: "check_fare",
            input: { flight: "AY 1740 + AY 61", date: "2026-04-04" },
            output: "985 EUR, 7 seats left",
          },
        ],
        agent: "Still 985 euros, with seven seats left. I would buy today.",
      },
      {
        user: "Then buy it.",
        calls: [
          {
            tool: "buy_ticket",
            input: { flight: "AY 1740 + AY 61", payer: "Duarte" },
            output: "ticketed, record locator 6QJXNB",
          },
        ],
        agent: "Done. The record locator of the flight is 6QJXNB.",
      },
      {
        user: "Wonderful. Do I need a visa with a Portuguese passport?",
        agent: "No, up to 90 days without. It only has to be valid until you leave.",
      },
      {
        user: "It is, until 2031. Which vaccinations?",
        agent: "None are required; have the usual ones up to date.",
      },
      {
        user: "What should I bring as a present for a Japanese family?",
        agent: "Something small from home, nicely wrapped: tinned sardines or a Douro biscuit are perfect.",
      },
      {
        user: "Sardines! Of course. How do I say thank you properly?",
        agent: "Arigatō gozaimasu, with a small bow. For a meal: gochisōsama deshita.",
      },
      {
        user: "I'll practise. Send me the whole plan the week before, please.",
        calls: [
          {
            tool: "remind",
            input: { what: "send the plan to Elena", date: "2026-03-28" },
            output: "reminder set for 28 March",
          },
        ],
        agent: "You will have it on 28 March.",
      },
      {
        user: "Perfect, that is all for now.",
        agent: "Have a good week, Elena.",
      },
    ],
  },
];
