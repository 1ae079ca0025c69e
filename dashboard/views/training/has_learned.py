"""The panel with the verdict on a training: its findings, and the changes to try."""

from core.training import OBSTACLE_OF, TrainingFinding, changed, helped
from dashboard.drawing.matrices import Item
from dashboard.drawing.panels import BoardTile, FindingLine, panel
from dashboard.state.parameters.training import MOST_TRIES
from dashboard.text import training as text
from dashboard.text import training_findings
from dashboard.views.training.trainings import Trainings

WHOLE = BoardTile(6, bare=True)


def has_learned(trainings: Trainings) -> Item:
    """Return the verdict on the training that is shown."""
    state = text.state_of(
        trainings.names[trainings.which],
        training_findings.findings(trainings.shown, trainings.verdict.of("state")),
        trainings.shown,
        has_learned=trainings.verdict.state == "learned",
        is_alone=len(trainings.names) == 1,
    )
    if trainings.tries:
        sentences = [result_of_last_try(trainings), state]
    elif len(trainings.names) > 1:
        learned = sum(found.state == "learned" for found in trainings.verdicts.values())
        sentences = [state, text.COUNT.format(learned=learned, count=len(trainings.names))]
    else:
        sentences = [state]
    found = findings_of(trainings) if trainings.is_own else []
    return panel(
        text.VERDICT,
        "",
        alt="",
        callout=" ".join(sentences),
        findings=found,
        exactly=" ".join(dict.fromkeys(map(training_findings.threshold, trainings.verdict.of("cause"))))
        if found
        else "",
        tile=WHOLE,
    )


def result_of_last_try(trainings: Trainings) -> str:
    """Return the result of the last change that was tried, and what to click next."""
    name = trainings.name_of_try(trainings.tries[-1])
    own, made = trainings.recordings[0], trainings.by_name[name]
    result = training_findings.try_of(name, trainings.verdicts[name].state, own, made)
    how = helped(own, made)
    if how not in ("better", "no better") or trainings.verdicts[trainings.names[0]].state == "learned":
        return result
    of_own, of_try = (labels_to_try(trainings, of)[:1] for of in (trainings.names[0], name))
    if of_own and how == "no better":
        clicks = [*([trainings.names[0]] if trainings.which else []), *of_own]
    else:
        clicks = [text.KEEP.format(name=name), *of_try] if of_try else []
    return f"{result} {training_findings.next_clicks(clicks)}" if clicks else result


def labels_to_try(trainings: Trainings, name: str) -> list[str]:
    """Return the labels of the changes to one of the trainings that were not tried, in the order of the page."""
    setup, found = trainings.by_name[name].setup, trainings.verdicts[name].of("cause", "suggestion")
    codes = [finding.code for finding in found if changed(setup, finding.code) != setup]
    is_tried = {trainings.by_name[other].setup for other in trainings.names} if name == trainings.names[0] else set()
    return [
        training_findings.change(OBSTACLE_OF[code].change(setup))
        for code in codes
        if changed(setup, code) not in is_tried
    ]


def findings_of(trainings: Trainings) -> list[FindingLine]:
    """Return the findings on the training that is shown, worst first, then a suggestion, and last what was tried in vain."""
    shown = []
    # Only of the reader's own training there is something to try.
    topics = ("cause",) if trainings.which else ("cause", "suggestion")
    for finding in trainings.verdict.of(*topics):
        tried = "" if trainings.which else trainings.name_of_try(finding.code)
        result = helped(trainings.recordings[0], trainings.by_name[tried]) if tried else ""
        shown.append((result not in ("", "learned"), finding_of(trainings, finding, tried, result)))
    return [found for _, found in sorted(shown, key=lambda pair: pair[0])]


def finding_of(trainings: Trainings, finding: TrainingFinding, tried: str, result: str) -> FindingLine:
    """Return a finding on the training that is shown. Only of the reader's own training it has a change to try.

    Parameters
    ----------
    tried : str
        The name of the training with its change; empty if it was not tried.
    result : str
        Of `helped`; empty if it was not tried.
    """
    setup, obstacle = trainings.shown.setup, OBSTACLE_OF[finding.code]
    sentence, proof = training_findings.sentence(setup, finding), training_findings.PROOFS[obstacle.proof]
    if trainings.which or changed(setup, finding.code) == setup:
        return FindingLine(sentence, proof)
    others = [code for code in trainings.tries if trainings.name_of_try(code) != tried]
    if tried:
        numbers = training_findings.compared(trainings.recordings[0], trainings.by_name[tried])
        sentence = f"{sentence} {training_findings.TRIED[result].format(numbers=numbers)}".strip()
    # The oldest try goes where there are too many.
    codes = others if tried else [*others, finding.code][-MOST_TRIES:]
    label = training_findings.change(obstacle.change(setup), is_tried=bool(tried))
    return FindingLine(sentence, proof, "change", ",".join(codes) or None, label, bool(tried))
