"""Which documents are the private kinds: identity papers, papers of a bank and papers of health. Judged by the words in them."""

import re
from collections.abc import Sequence

ID_DOCUMENT, BANK_STATEMENT, HEALTH_DOCUMENT = "id_document", "bank_statement", "health_document"
PRIVATE_KINDS = (ID_DOCUMENT, BANK_STATEMENT, HEALTH_DOCUMENT)


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", re.IGNORECASE)


_MACHINE_READABLE = re.compile(r"(?<![A-Z0-9<])[A-Z0-9<]{5,44}<<[A-Z0-9<]{3,44}|[A-Z0-9]{9}<\d[A-Z]{3}\d{7}")
"""The lines of a passport or identity card that machines read."""

_IDENTITY = _words(
    r"passport|passeport|reisepass|pasaporte|passaporto|identity card|identification card|personalausweis|national id|identitätskarte|"
    r"carte nationale d.identité|documento nacional de identidad|residence permit|aufenthaltstitel|"
    r"driving licen[cs]e|driver.?s? licen[cs]e|"
    r"führerschein|permis de conduire|permiso de conducir|körkort|identitetskort|social security|id card|身份证|居民身份证|護照|护照"
)
_OF_A_PERSON = _words(
    r"surname|given names?|forenames?|date of birth|birth ?date|geburts(?:datum|tag)|place of birth|geburtsort|"
    r"nationality|staatsangehörigkeit|"
    r"nationalité|date de naissance|fecha de nacimiento|dob|sex|geschlecht|date of expiry|gültig bis|authority|"
    r"issuing authority|behörde|"
    r"nom|prénoms?|apellidos|nombres?|personal no|document no|passport no|licen[cs]e no|height|eyes|class|姓名|出生"
)
_BANK = _words(
    r"account statement|bank statement|statement of account|kontoauszug|relevé de compte|extracto (?:bancario|"
    r"de cuenta)|account number|"
    r"account no|kontonummer|sort code|iban|bic|swift|routing number|bankleitzahl"
)
_OF_AN_ACCOUNT = _words(
    r"opening balance|closing balance|balance brought forward|available balance|balance|credit|debit|"
    r"direct debit|standing order|transaction|"
    r"transactions|withdrawal|deposit|payments? (?:in|out)|paid (?:in|out)|saldo|buchung|lastschrift|"
    r"überweisung|gutschrift|solde|virement|"
    r"statement period|overdraft|interest"
)
_HEALTH = _words(
    r"prescription|rezept|ordonnance|receta médica|diagnosis|diagnose|patient|patient name|discharge (?:letter|"
    r"summary)|arztbrief|befund|"
    r"lab(?:oratory)? (?:report|results?)|laborbericht|blood (?:test|count|pressure|group|glucose)|blutbild|"
    r"blutdruck|vaccination|vaccine|"
    r"impf(?:pass|ausweis|ung)|immuni[sz]ation|referral|überweisungsschein|medical (?:report|certificate|"
    r"record)|attest|x-?ray|mri|ultrasound|"
    r"biopsy|allergies|symptoms|treatment plan|health insurance|krankenkasse|versichertennummer|krankmeldung|arbeitsunfähigkeit"
)
_OF_A_DOCTOR = _words(
    r"dr\.? ?med|doctor|physician|clinic|klinik|hospital|krankenhaus|practice|praxis|dose|dosage|\d+ ?mg|"
    r"\d+ ?ml|tablets?|daily|twice a day|"
    r"reference range|haemoglobin|hemoglobin|cholesterol|glucose|leukocytes|platelets|icd(?:-?10)?|mmol/l|mg/dl|g/dl|date of birth|dob|"
    r"nhs|insured|lot|batch|dose \d|department|ward|surgery"
)
_OF_ANIMALS = _words(
    r"vets?|veterinary|veterinarian|tierarzt(?:praxis)?|tierärztin|vétérinaire|veterinari[oa]|dog|cat|puppy|kitten|hund|katze|chien|perro"
)
_PAYING = _words(r"receipt|total|cash|change|subtotal|vat|gst|mwst|rechnung|quittung")


def private_kind(lines: Sequence[str]) -> tuple[str, list[str]] | None:
    """(kind, the words that say so); None for a document that is none of them.

    Wrongly taking one for private hides a picture that the person can bring back; missing one shows it: so two words of
    different meaning are enough. A pharmacy's receipt stays a receipt, a pet's card is not the person's health.
    """
    text = "\n".join(lines)
    if machine := _MACHINE_READABLE.search(text.replace(" ", "")):
        return ID_DOCUMENT, [machine[0][:12]]
    for kind, names, details in (
        (ID_DOCUMENT, _IDENTITY, _OF_A_PERSON),
        (BANK_STATEMENT, _BANK, _OF_AN_ACCOUNT),
        (HEALTH_DOCUMENT, _HEALTH, _OF_A_DOCTOR),
    ):
        named, detailed = _distinct(names, text), _distinct(details, text)
        if not named or len(named) + len(detailed) < 2 + (kind is BANK_STATEMENT):
            continue
        if kind is HEALTH_DOCUMENT and (len(_distinct(_PAYING, text)) >= 2 or _OF_ANIMALS.search(text)):
            continue
        return kind, [*named, *detailed]
    return None


def _distinct(pattern: re.Pattern[str], text: str) -> list[str]:
    return list(dict.fromkeys(found.lower() for found in pattern.findall(text)))
