"""Which of the 1,000 classes of ImageNet count as one thing or one kind of place that a person would name.

A small network is often sure that a picture shows a dog and unsure which of 118 breeds: the probabilities of a group add up. A
picture may belong to several groups, narrow and wide ("coffee", "drink"). Numbers are those of ImageNet-1k (ILSVRC 2012).

ImageNet knows three flowers and 27 insects, most of them photographed on flowers: a violet is "a bee" to it, so these are one
group. Spotlights are left out, because every soft gradient is one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SceneGroup:
    """A name and its classes, as numbers and ranges; `is_place` for where one is, rather than what one sees."""

    name: str
    classes: str
    is_place: bool = False


GROUPS = (
    SceneGroup("dog", "151-268"),
    SceneGroup("cat", "281-285"),
    SceneGroup("bird", "7-24 80-100 127-146"),
    SceneGroup("fish", "0-6 389-397"),
    SceneGroup("horse", "339"),
    SceneGroup("reptile", "33-50 52-68"),
    SceneGroup("animal", "0-50 52-68 70-299 327-397"),
    SceneGroup("flower or insect", "300-326 984-986"),
    SceneGroup("mushroom", "947 991-997"),
    SceneGroup("pizza", "963"),
    SceneGroup("ice cream", "928 929"),
    SceneGroup("burger", "933"),
    SceneGroup("bread", "930-932"),
    SceneGroup("fruit", "948-957"),
    SceneGroup("vegetables", "936-946"),
    SceneGroup("food", "809 923-965 987"),
    SceneGroup("coffee", "504 505 967 968"),
    SceneGroup("wine", "907 966"),
    SceneGroup("beer", "440 441"),
    SceneGroup("drink", "440 441 503-505 572 737 849 898 901 907 966-969"),
    SceneGroup("car", "407 436 468 479 511 581 609 627 656 661 717 734 751 817"),
    SceneGroup("bus", "654 779 874"),
    SceneGroup("truck", "555 569 675 864 867"),
    SceneGroup("train", "466 547 565 705 820 829"),
    SceneGroup("bicycle", "444 671"),
    SceneGroup("motorcycle", "665 670"),
    SceneGroup("boat", "472 484 510 554 576 625 628 724 780 814 871 914"),
    SceneGroup("plane", "404 895 908"),
    SceneGroup("hot-air balloon", "417"),
    SceneGroup(
        "vehicle",
        "403-405 407 408 436 444 466 468 472 479 484 510 511 547 554 555 565 569 573 575 576 581 586 603 609 612 625 627 628 "
        "654 656 661 665 670 671 675 690 705 717 724 734 751 757 779 780 802 803 814 817 820 829 833 864 866 867 870 871 874 "
        "895 908 914",
    ),
    SceneGroup("castle", "483 698"),
    SceneGroup("church", "406 442 497 663"),
    SceneGroup("mosque", "668"),
    SceneGroup("lighthouse", "437"),
    SceneGroup("bridge", "821 839 888"),
    SceneGroup("fountain", "562"),
    SceneGroup(
        "building", "425 437 442 449 483 497 500 538 580 649 660 663 668 682 698 727 743 832 853 858 873 884 900 915"
    ),
    SceneGroup("piano", "579 881"),
    SceneGroup("guitar", "402 546"),
    SceneGroup("violin", "486 889"),
    SceneGroup("drum", "541 822"),
    SceneGroup(
        "musical instrument",
        "401 402 420 432 486 513 541 546 558 566 577 579 593 594 641 642 683 684 687 699 776 822 875 881 889",
    ),
    SceneGroup("football", "805"),
    SceneGroup("sport", "416 422 429 430 450 522 543 560 574 602 702 722 736 746 747 752 768 795 805 852 890 981"),
    SceneGroup("document", "549 692 916-918 921 922"),
    SceneGroup("computer", "508 527 620 664 681 782 810"),
    SceneGroup("phone", "487 528 707"),
    SceneGroup("teddy bear", "850"),
    SceneGroup("umbrella", "879"),
    SceneGroup("tent", "672"),
    SceneGroup("candles", "470"),
    SceneGroup("wedding couple", "982"),
    SceneGroup("graduation gown", "400 667"),
    SceneGroup("traffic sign or light", "919 920"),
    SceneGroup("beach", "977 978", is_place=True),
    SceneGroup("mountains", "970 972 979 980", is_place=True),
    SceneGroup("by the water", "460 525 536 718 975-978", is_place=True),
    SceneGroup("underwater", "973 983", is_place=True),
    SceneGroup("in the snow", "537 795 802 803", is_place=True),
    SceneGroup("shop", "415 424 454 467 509 582 788 860 865", is_place=True),
    SceneGroup("restaurant", "762", is_place=True),
    SceneGroup("cinema", "498", is_place=True),
    SceneGroup("library", "453 454 624", is_place=True),
    SceneGroup("stage", "819", is_place=True),
    SceneGroup("kitchen", "534 651 760 827 859", is_place=True),
    SceneGroup("bathroom", "435 794 861 896 999", is_place=True),
    SceneGroup("bedroom", "520 564 721 750", is_place=True),
    SceneGroup("living room", "548 598 831", is_place=True),
)


def membership(classes: int) -> NDArray[np.float32]:
    """One row a group with 1 for each of its classes: times the probabilities, it gives the group's."""
    rows = np.zeros((len(GROUPS), classes), np.float32)
    for row, group in zip(rows, GROUPS, strict=True):
        row[class_numbers(group)] = 1
    return rows


def class_numbers(group: SceneGroup) -> list[int]:
    """The classes of a group."""
    found: list[int] = []
    for piece in group.classes.split():
        first, _, last = piece.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found
