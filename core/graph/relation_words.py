"""Which relation does a word like "auntie", "sisters" or "Schwester" name? One role and, where the word says it, a sex for each."""

from dataclasses import dataclass

from core.text_keys import text_key

FEMALE, MALE = "female", "male"


@dataclass(frozen=True, slots=True)
class RelationWord:
    """What a word says.

    Attributes:
        role: the relation without the sex: child, sibling, partner, boss …; the word itself where it is none of ours.
        sex: female, male, or empty.
        several: the word is a plural ("my parents").
    """

    role: str
    sex: str = ""
    several: bool = False


_ROLES = """
parent: parent | mother mom mum mama mommy mummy ma mutter madre mère 妈妈 母亲 | father dad papa daddy pa vater padre père 爸爸 父亲
child: child kid kind hijo/a enfant | daughter tochter hija fille 女儿 | son sohn hijo fils 儿子
sibling: sibling geschwister | sister sis schwester hermana sœur soeur 姐姐 妹妹 | brother bro bruder hermano frère 哥哥 弟弟
half-sibling: half-sibling | half-sister | half-brother
partner: partner spouse fiancé/e significant-other | wife girlfriend fiancée ehefrau freundin esposa novia épouse 妻子 \
| husband boyfriend hubby ehemann esposo novio mari 丈夫
ex-partner: ex-partner ex | ex-wife ex-girlfriend | ex-husband ex-boyfriend
grandparent: grandparent | grandmother grandma granny gran nana nan oma großmutter abuela grand-mère 奶奶 外婆 \
| grandfather grandpa granddad grandad opa großvater abuelo grand-père 爷爷 外公
grandchild: grandchild grandkid enkel | granddaughter enkelin nieta petite-fille | grandson nieto petit-fils
great-grandparent: great-grandparent | great-grandmother great-grandma | great-grandfather great-grandpa
great-grandchild: great-grandchild | great-granddaughter | great-grandson
aunt-or-uncle: | aunt auntie aunty tante tía 阿姨 | uncle onkel tío oncle 叔叔
niece-or-nephew: | niece nichte sobrina nièce | nephew neffe sobrino neveu
cousin: cousin prima/o cousine 表弟 | |
parent-in-law: parent-in-law | mother-in-law schwiegermutter suegra belle-mère | father-in-law schwiegervater suegro beau-père
child-in-law: child-in-law | daughter-in-law schwiegertochter | son-in-law schwiegersohn
sibling-in-law: sibling-in-law | sister-in-law schwägerin cuñada | brother-in-law schwager cuñado
step-parent: step-parent stepparent | stepmother stepmom stepmum | stepfather stepdad
step-child: step-child stepchild | stepdaughter | stepson
step-sibling: step-sibling | stepsister | stepbrother
godparent: godparent | godmother patin | godfather pate
godchild: godchild | goddaughter | godson
friend: friend best-friend buddy mate pal bestie amigo/a ami/e 朋友 | |
boss: boss manager supervisor chef chefin jefe/a 老板 | |
report: report employee direct-report | |
colleague: colleague coworker co-worker workmate kollege kollegin 同事 | |
teacher: teacher tutor coach trainer instructor lehrer lehrerin professor prof | |
student: student pupil | |
advisor: advisor adviser mentor doktorvater | |
advisee: advisee mentee | |
roommate: roommate flatmate housemate mitbewohner mitbewohnerin | |
neighbour: neighbour neighbor nachbar nachbarin vecino/a | |
classmate: classmate schoolmate | |
teammate: teammate | |
doctor: doctor gp physician dentist therapist | |
patient: patient | |
client: client customer | |
landlord: landlord | landlady |
tenant: tenant | |
pet: pet dog cat puppy kitten rabbit hamster parrot horse hund katze perro gato chien chat 狗 猫 | |
owner: owner | |
nanny: nanny babysitter au-pair | |
"""
"""role: words that say no sex | female | male. A slash gives a second ending."""

_PLURALS = {
    "children": "child",
    "kids": "kid",
    "people": "person",
    "wives": "wife",
    "aunties": "auntie",
    "puppies": "puppy",
}
_GROUPS = {
    "family": ("parent", "child", "sibling", "half-sibling", "partner", "grandparent", "grandchild", "aunt-or-uncle",
               "niece-or-nephew", "cousin", "parent-in-law", "child-in-law", "sibling-in-law", "step-parent", "step-child",
               "step-sibling"),
    "relatives": ("aunt-or-uncle", "niece-or-nephew", "cousin", "grandparent", "grandchild", "parent", "child", "sibling"),
    "in-laws": ("parent-in-law", "sibling-in-law"),
}  # fmt: skip
"""Words that mean anyone of several roles."""

INVERSE = {
    "parent": "child", "grandparent": "grandchild", "great-grandparent": "great-grandchild", "aunt-or-uncle": "niece-or-nephew",
    "parent-in-law": "child-in-law", "step-parent": "step-child", "godparent": "godchild", "boss": "report", "teacher": "student",
    "advisor": "advisee", "doctor": "patient", "landlord": "tenant", "pet": "owner",
}  # fmt: skip
INVERSE |= {other: role for role, other in INVERSE.items()}
_BOTH_WAYS = (
    "sibling half-sibling step-sibling sibling-in-law partner ex-partner cousin friend colleague roommate neighbour classmate "
    "teammate"
)
SYMMETRIC = frozenset(_BOTH_WAYS.split())


def _words() -> dict[str, RelationWord]:
    found: dict[str, RelationWord] = {}
    for line in _ROLES.strip().splitlines():
        role, _, groups = line.partition(":")
        for sex, words in zip(("", FEMALE, MALE), groups.split("|"), strict=True):
            for word in words.split():
                for spelt in _spellings(word):
                    found.setdefault(text_key(spelt), RelationWord(role, sex))
        found.setdefault(role, RelationWord(role))
    return found


def _spellings(word: str) -> list[str]:
    """amigo/a is amigo and amiga; best-friend also best friend."""
    bare, _, ending = word.partition("/")
    spelt = [bare, (bare[:-1] if bare[-1] in "oa" else bare) + ending] if ending else [bare]
    return [form for each in spelt for form in (each, each.replace("-", " "), each.replace("-", ""))]


_KNOWN = _words()
ENGLISH_WORDS = tuple(sorted((word for word in _KNOWN if word.isascii()), key=len, reverse=True))
"""Words of the table that a question may hold, the longest first."""


def relation_word(word: str) -> RelationWord | None:
    """What a word says; None for a word that names no relation of the table."""
    key = text_key(word).replace("’", "'")
    if key in _KNOWN:
        return _KNOWN[key]
    singular = _PLURALS.get(key) or _singular(key)
    if singular in _KNOWN:
        known = _KNOWN[singular]
        return RelationWord(known.role, known.sex, several=True)
    return None


def said_relation(word: str) -> RelationWord:
    """What the person means by a relation they tell: one of ours, else the word as it is."""
    return relation_word(word) or RelationWord(text_key(word))


def group_roles(word: str) -> tuple[str, ...]:
    """The roles that a word for many ("family") takes together; none for other words."""
    return _GROUPS.get(text_key(word), ())


def spoken(role: str, sex: str) -> str:
    """The role as people say it: aunt, brother-in-law, child."""
    return _SPOKEN.get((role, sex)) or _SPOKEN.get((role, "")) or role.replace("-or-", " or ")


def _singular(key: str) -> str:
    head, _, tail = key.partition("-in-law")
    if tail == "" and "-in-law" in key and head.endswith("s"):
        return f"{head[:-1]}-in-law"
    if key.endswith("sses"):
        return key[:-2]
    return key[:-1] if key.endswith("s") else key


def _first_words() -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for line in _ROLES.strip().splitlines():
        role, _, groups = line.partition(":")
        for sex, words in zip(("", FEMALE, MALE), groups.split("|"), strict=True):
            if first := words.split()[:1]:
                found[(role, sex)] = first[0].partition("/")[0]
    return found


_SPOKEN = _first_words()
