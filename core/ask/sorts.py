"""Which things are of the sort a question asks for: what fruit, which drinks, what sport? Common words, and names that end in the sort."""

from core.text_keys import text_key

_SORTS = (
    (
        "fruit fruits berry berries",
        "apple apricot avocado banana blackberry blackcurrant blueberry cantaloupe cherry cherre clementine coconut cranberry currant date "
        "dragonfruit durian elderberry fig gooseberry grape grapefruit guava honeydew jackfruit kiwi kumquat lemon lime lychee mandarin "
        "mango melon mulberry nectarine olive orange papaya peach pear persimmon pineapple plum pomegranate pomelo quince raspberry "
        "redcurrant rhubarb satsuma strawberry tangerine watermelon",
    ),
    (
        "vegetable vegetables veggie veggies veg greens",
        "artichoke asparagus aubergine bean beetroot broccoli cabbage carrot cauliflower celery chard corn courgette cucumber "
        "eggplant endive "
        "fennel garlic kale kohlrabi leek lettuce mushroom okra onion parsnip pea pepper potato pumpkin radish spinach sprout squash "
        "tomato turnip yam zucchini",
    ),
    (
        "drink drinks beverage beverages",
        "ale beer brandy champagne cider cocktail cocoa coffee coke cola cordial espresso gin juice kombucha latte lemonade liqueur matcha "
        "mead milk milkshake mocha prosecco rum sake smoothie soda tea tequila vodka water whiskey whisky wine",
    ),
    (
        "toiletries toiletry cosmetics",
        "conditioner cream deodorant floss gel lotion makeup moisturiser moisturizer mouthwash perfume razor shampoo soap sunscreen tissue "
        "toothbrush toothpaste towel wash paper",
    ),
    (
        "exercise exercises sport sports workout workouts",
        "aerobics badminton baseball basketball biking bouldering boxing canoeing climbing cricket cycling football golf golfing "
        "gymnastics "
        "hiit hiking hockey jogging judo karate kayaking lifting pilates rowing rugby running sailing skating skiing snowboarding soccer "
        "spinning squash surfing swimming tennis volleyball walking yoga zumba",
    ),
)
_DONE_WITH = (
    ("do", "exercise exercises sport sports workout workouts"),
    ("drink", "drink drinks beverage beverages"),
    ("eat", "food foods dish dishes meal meals"),
    ("buy", "fruit fruits vegetable vegetables toiletries cosmetics"),
)
_GENERIC_NOUNS = (
    "thing things stuff item items food foods dish dishes meal meals groceries grocery kind kinds sort sorts type types place places "
    "activity activities hobby hobbies programme program show shows sights attractions destination destinations"
)
_GENERIC = frozenset(_GENERIC_NOUNS.split())


def is_generic(noun: str) -> bool:
    """Whether a noun leaves open what is meant: food, things, dishes."""
    return noun in _GENERIC


def is_sort(noun: str) -> bool:
    """Whether a noun is a sort whose members are known."""
    return any(noun in names.split() for names, _ in _SORTS)


def verb_of(noun: str) -> str:
    """What people do with things of a sort, where the question does not say; empty for a word that is none."""
    return next((verb for verb, names in _DONE_WITH if noun in names.split()), "")


def is_of_sort(thing: str, noun: str) -> bool:
    """Whether a thing is of a sort: its last word is a member ("orange juice" is a drink, no fruit) or the sort itself."""
    last = _single(text_key(thing).split()[-1]) if text_key(thing) else ""
    if last == _single(noun):
        return True
    members = next((members.split() for names, members in _SORTS if noun in names.split()), [])
    return last in members


def _single(word: str) -> str:
    """A noun without the ending of many."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
