"""Question forms with their exact answers, over two invented people's libraries, by kind.

The kinds are those of OmniQuery (3.3, 8.2, 8.3, appendix C) and LifeGraph (A.2). A gold number, date, text or set must be the
answer's value; `Said` must stand in its text; `Cites` names the public ids that must be cited, all of them and first of all; an
outcome must be the answer's.
"""

from dataclasses import dataclass

from core.records import Outcome


@dataclass(frozen=True)
class Said:
    """Words that the answer's text must hold."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Cites:
    """Public ids that must be among the citations; `only` where no other may be."""

    ids: tuple[str, ...]
    only: bool = False


Gold = int | float | str | tuple[str, ...] | Said | Cites | Outcome
Forms = tuple[tuple[str, str, Gold], ...]

RAVI: Forms = (
    # OmniQuery 8.2
    ("8.2", "What was the name of the whiskey we tasted at the distillery?", Said(("Ardmore Reserve 14",))),
    ("8.2", "Which animal did I pet first at the farm?", Said(("sheep",))),
    ("8.2", "How many times did I practise golf in May 2025?", 4),
    ("8.2", "How many times did I practice golf last month?", 4),
    ("8.2", "What was the name of the lake where I went paddling with friends?", "Lake Travis"),
    # direct
    ("direct", "What was the Wi-Fi password at the hotel in Barcelona?", "paella77"),
    ("direct", "When was I at the Blanton Museum?", "2025-06-11"),
    ("direct", "Where was I on 19 April 2025?", "Lake Travis"),
    ("direct", "Who was with me at the farm?", ("Dana Cole",)),
    ("direct", "How many days was I in Barcelona?", 3),
    ("direct", "Show me the sand castle", Cites(("r026",))),
    ("direct", "Find the picture of the goat", Cites(("r017",))),
    ("direct", "Did I ride a camel in Barcelona?", Outcome.NOT_FOUND),
    ("direct", "Have I been to Inverness?", Said(("Yes", "12 September 2024"))),
    ("direct", "Was I ever in Tokyo?", Outcome.NOT_FOUND),
    ("direct", "Which city is the Glen Ard Distillery in?", "Inverness"),
    # contextual filter
    ("filter", "How many times did I see Dana in May 2025?", 3),
    ("filter", "How often was I at the gym before April 2025?", 4),
    ("filter", "How often was I at the gym since April 2025?", 2),
    ("filter", "How many times have I been hiking since April 15, 2025?", 2),
    ("filter", "Who was with me in Barcelona?", ("Dana Cole",)),
    ("filter", "Where was I with Omar Haddad in April 2025?", ("Greenbelt Trail", "Lake Travis", "Lone Star Gym")),
    ("filter", "Where was I with Dana but without Omar in May 2025?", ("Thai House", "Topgolf")),
    ("filter", "Which countries did I visit in 2024?", ("United Kingdom",)),
    ("filter", "Which cities did I visit between January and March 2025?", ("Austin", "Barcelona", "New York")),
    ("filter", "How many times did I see Dana outside Austin?", 6),
    ("filter", "How many times did I see Dana when I was not in Austin?", 6),
    ("filter", "Who was with me when I was not in Austin in 2025?", ("Dana Cole",)),
    ("filter", "Which cities was I in during 2025 except Austin?", ("Barcelona", "New York")),
    ("filter", "How many days did I spend away from home in June 2025?", 3),
    ("filter", "How many times was I in Barcelona without Dana?", 2),
    ("filter", "How many people did I meet during the Weekend in Barcelona?", 1),
    ("filter", "How many videos did I take in May 2025?", 3),
    ("filter", "On which days was I with both Dana and Omar?", ("2025-04-19", "2025-05-24")),
    ("filter", "When did Dana and Omar meet me together?", ("2025-04-19", "2025-05-24")),
    ("filter", "How many people were with me on the lake?", 3),
    ("filter", "Who was at both the lake and Topgolf?", ("Dana Cole", "Omar Haddad")),
    ("filter", "Who was with me both in Barcelona and at the farm?", ("Dana Cole",)),
    # exploratory: lists must be complete
    ("exploratory", "What churches did I visit in Barcelona?", ("Sagrada Família", "Santa Maria del Mar", "Santa Maria del Pi")),
    ("exploratory", "Which churches have I seen?", ("Sagrada Família", "Santa Maria del Mar", "Santa Maria del Pi")),
    ("exploratory", "List all the churches I visited in March 2025", ("Sagrada Família", "Santa Maria del Mar", "Santa Maria del Pi")),
    ("exploratory", "How many churches did I visit in Barcelona?", 3),
    ("exploratory", "Which beaches did I go to?", ("Barceloneta Beach", "Zilker Beach")),
    ("exploratory", "Which museum did I visit in June 2025?", "Blanton Museum"),
    ("exploratory", "Which places did I visit with Omar?", ("Greenbelt Trail", "Lake Travis", "Lone Star Gym", "Topgolf")),
    ("exploratory", "Who have I met in 2025?", ("Dana Cole", "Ji-woo Park", "Mira Menon", "Omar Haddad")),
    # look-up and locate
    ("look-up", "How much did I pay at the Thai House on 9 May 2025?", Said(("16.00",))),
    ("look-up", "How much was the green curry?", Said(("16.00",))),
    ("look-up", "How much did I spend in total at the Thai House?", 30.0),
    ("look-up", "How much did I spend in total at the clinic?", 30.5),
    ("look-up", "What is the Wi-Fi password at the Blanton Museum?", Outcome.NOT_FOUND),
    ("locate", "Where did I play billiards?", "Amsterdam Billiards"),
    ("locate", "Where did I see the donkey?", "Willow Farm"),
    ("locate", "Where was I when I saw the rose window?", "Santa Maria del Mar"),
    ("locate", "Where was I on Valentine's Day 2025?", "Home"),
    # ordinals
    ("ordinal", "When was the second time I went hiking?", "2025-04-26"),
    ("ordinal", "When was my third visit to the gym?", "2025-03-04"),
    ("ordinal", "When did I go to the gym for the 5th time?", "2025-04-01"),
    ("ordinal", "When was the tenth time I went hiking?", Outcome.NOT_FOUND),
    ("ordinal", "Where was I the second time I saw the beach?", "Zilker Beach"),
    ("ordinal", "Who was with me the second time I went hiking?", ("Omar Haddad",)),
    ("ordinal", "When did I first go to Topgolf?", "2025-05-10"),
    ("ordinal", "When was I last at the gym?", "2025-04-15"),
    ("ordinal", "Where did I first see Ji-woo Park?", "Lake Travis"),
    # superlatives
    ("most", "Who do I spend the most time with?", "Dana Cole"),
    ("most", "Which city did I visit most in 2025?", "Austin"),
    ("most", "In which month did I go hiking most?", "2025-04"),
    ("most", "Which church did I visit most in Barcelona?", Said(("on 1 day", "on as many days"))),
    # comparisons
    ("compare", "Did I go more often to the beach or hiking?", "hiking"),
    ("compare", "Did I do more hiking or more golf in May 2025?", "golf"),
    ("compare", "Did I go less often to the gym or to Topgolf?", "Topgolf"),
    ("compare", "Do I see Dana or Omar more often?", "Dana"),
    ("compare", "Did I spend more days in Barcelona or in New York?", "Barcelona"),
    ("compare", "Did I hike more in April 2025 or in May 2025?", "April 2025"),
    ("compare", "Compare the beach and the gym", Said(("beach: 2 days", "gym: 6 days"))),
    ("compare", "Compare February and April 2025 at the gym", Said(("February 2025: 2 days", "April 2025: 2 days"))),
    ("compare", "What is the difference between hiking and golf in May 2025?", Said(("hiking: 1 day", "golf: 4 days"))),
    ("compare", "Did I see more penguins or more camels?", Outcome.NOT_FOUND),
    # averages, frequencies
    ("average", "How often do I go to the gym per month on average?", 2.0),
    ("average", "How many times a month did I go to the gym between February and April 2025?", 2.0),
    ("average", "On average, how many times per month did I go to the gym from January to June 2025?", 1.0),
    ("average", "On average, how much do I pay at the Thai House?", 15.0),
    ("average", "What is the average price at the Thai House?", 15.0),
    ("average", "How many times per week did I play golf in May 2025?", 0.8),
    # ages and durations
    ("age", "How old is Mira?", 6),
    ("age", "How old was Mira during the Weekend in Barcelona?", 5),
    ("age", "How old was Mira in March 2020?", 0),
    ("age", "How old is Omar?", Outcome.NOT_FOUND),
    ("age", "How old was Mira on 20 June 2025?", 5),
    ("duration", "How long was the Weekend in Barcelona?", 3),
    ("duration", "How long did the Trip to Britain last?", 3),
    ("duration", "How many days was the Trip to Britain?", 3),
    ("duration", "How long did I stay in Barcelona?", 3),
    ("duration", "How many days passed between my first and my last visit to Topgolf?", 14),
    # before, after, between, next, previous
    ("temporal", "What did I do right before Mira's birthday party?", Cites(("r045",), only=True)),
    ("temporal", "What did I do right after the Weekend in Barcelona?", Said(("1 April 2025",))),
    ("temporal", "Who did I meet after the Weekend in Barcelona?", ("Dana Cole", "Ji-woo Park", "Mira Menon", "Omar Haddad")),
    ("temporal", "How often was I at the gym before the Weekend in Barcelona?", 4),
    ("temporal", "How often was I at the gym between the Weekend in Barcelona and Mira's birthday party?", 2),
    ("temporal", "Who did I meet between the Trip to Britain and the Weekend in Barcelona?", ("Dana Cole", "Omar Haddad")),
    ("temporal", "Where did I go right after Sagrada Família on March 22, 2025?", "Santa Maria del Mar"),
    ("temporal", "Where was I right before Barceloneta Beach on March 23, 2025?", "Santa Maria del Pi"),
    # summaries and open questions
    ("summary", "Summarize my Weekend in Barcelona.", Said(("3 days", "Sagrada Família", "Dana Cole"))),
    ("summary", "What happened in April 2025?", Said(("7 memories", "Hiking along the creek."))),
    ("summary", "Tell me about the Trip to Britain", Said(("Glen Ard Distillery", "sheep"))),
    ("summary", "What did I do during the Trip to Britain?", Said(("whiskey",))),
    ("summary", "What did I do in March 1999?", Outcome.NOT_FOUND),
    ("persona", "What are my hobbies?", Said(("infer", "golf", "hiking"))),
    ("persona", "What kind of food do I like?", Said(("infer", "Thai"))),
    ("persona", "What are my habits?", Said(("infer", "Gym"))),
    ("persona", "What would be a good gift for Dana?", Said(("infer", "Dana"))),
    ("persona", "What kind of music do I like?", Outcome.NOT_FOUND),
    # LifeGraph's tasks that texts can carry (those that need pixels and a vision model are named in the test)
    ("text concept", "When was Mira Menon born?", Said(("21 June 2019",))),
    ("scene", "What was I doing on April 5, 2025?", Said(("Hiking along the creek",))),
    ("direct person", "What did Dana do on 12 September 2024?", Said(("whiskey",))),
    ("counting", "How many times did Omar come along to the gym?", 2),
    ("counting", "How many times did Mira go to the beach?", 1),
    ("relational temporal", "Who was with me on the last hike?", Outcome.NOT_FOUND),
    # appendix C
    ("C pool", "What was the pool place I went to in NYC?", Said(("Amsterdam Billiards",))),
    ("C medicine", "What is the price of the medicine I bought?", Outcome.AMBIGUOUS),
    ("C medicine", "What was the price of the medicine I bought in June 2025?", Said(("22.00",))),
    ("C cat", "I took a picture of my cat on the desk with a red hat. Can you find it?", Cites(("r040",))),
    ("C cat", "Show me the cat with the red hat", Cites(("r040",))),
    ("C scope", "What did I order at the Eiffel Tower?", Outcome.NOT_FOUND),
    ("C scope", "Show me my skydiving pictures", Said(("Nothing says",))),
    ("C presumption", "Who was with me at the Blanton Museum?", Outcome.NOT_FOUND),
    ("C same visit", "How many times did I visit Sagrada Família?", 1),
    ("C same visit", "How many times was I at the driving range?", 2),
    ("C photographer", "How many times did I work as a photographer in the past few months?", Outcome.AMBIGUOUS),
    ("C advisor", "What is the content of the last meeting with my advisor last week?", Said(("clue",))),
    ("C Korean", "Where did I travel with two Korean friends last month?", Outcome.NEEDS_DETAIL),
    ("C selfie", "Give me the best selfie I took.", Cites(("r042",), only=True)),
    ("ordinal place", "What was the second church I visited in Barcelona?", "Santa Maria del Mar"),
    ("ordinal place", "Which was the first church I visited?", "Sagrada Família"),
    ("ordinal place", "When did I visit the third church?", "2025-03-23"),
    ("ordinal place", "Who was with me in the second church I visited?", ("Dana Cole",)),
    ("ordinal place", "What was the fourth church I visited?", Outcome.NOT_FOUND),
    ("ordinal place", "When did I visit the first church?", "2025-03-22"),
    ("ordinal place", "What was the last church I visited?", "Santa Maria del Pi"),
    ("C churches", "Which churches did I visit on the trip to Barcelona?",
     ("Sagrada Família", "Santa Maria del Mar", "Santa Maria del Pi")),
)  # fmt: skip

NORA: Forms = (
    ("ordinal", "When was the second time I was at the Harbour Café?", "2025-03-02"),
    ("ordinal", "When was my third visit to Klätterhallen?", "2025-02-25"),
    ("compare", "Did I go more often to the Harbour Café or to Klätterhallen?", "equal"),
    ("compare", "Did I see Jonas or Priya more often?", "Jonas"),
    ("compare", "Did I climb more in February 2025 or in March 2025?", "February 2025"),
    ("average", "How many times per month did I go to the Harbour Café from January to June 2025?", 0.5),
    ("average", "On average, how much did I spend in May and June 2025?", 24.25),
    ("duration", "How long did I stay in Lisbon?", 3),
    ("duration", "How long did TideConf 2025 last?", 3),
    ("filter", "How many days was I not in Gothenburg in May 2025?", 3),
    ("filter", "Who was with me outside Gothenburg?", ("Priya Nair",)),
    ("summary", "Summarise TideConf 2025", Said(("Priya Nair", "Museum of Tides"))),
    ("summary", "What happened in February 2025?", Said(("3 days", "Jonas Berg"))),
    ("temporal", "What did I do right after TideConf 2025?", Said(("Midsummer bonfire",))),
    ("C selfie", "Show me the best photo", Outcome.AMBIGUOUS),
    ("look-up", "What was the Wi-Fi password at the hotel?", "sardinha2025"),
    ("direct", "Who did I see the most in 2025?", "Elif Demir"),
)  # fmt: skip
