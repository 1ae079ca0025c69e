r"""The readout of h_t and its loss.

.. math::
    y_t = W_y h_t + b_y

The squared error is the sum of (y_t - target)² over the p entries; cross-entropy is -log of the share that the softmax
of y_t gives to the right class. The loss is their mean over the columns, and over the steps as they are weighted.
"""

from typing import NamedTuple

import numpy as np

from core.arrays import Array
from core.training.tasks import Batch


class Readout(NamedTuple):
    """The weights of the readout.

    Attributes
    ----------
    W_y : ndarray of shape (p, k)
    b_y : ndarray of shape (p, 1)
    """

    W_y: Array
    b_y: Array


class ReadoutLoss(NamedTuple):
    """The loss of a readout, and its derivatives.

    Attributes
    ----------
    loss : float
    dh : ndarray of shape (T, k, B)
        The loss's derivative with respect to each h_t.
    readout : Readout
        The loss's derivatives with respect to the weights of the readout.
    """

    loss: float
    dh: Array
    readout: Readout


def predict(readout: Readout, h_t: Array) -> Array:
    """Return y_t at every step, of shape (T, p, B) for h_t of shape (T, k, B)."""
    return readout.W_y @ h_t + readout.b_y


def accuracy(y_t: Array, batch: Batch) -> float:
    """Return the fraction of answers whose largest entry is that of the right class.

    Parameters
    ----------
    y_t : ndarray of shape (T, p, B)
        The predictions.
    batch : Batch
        Of a task with classes.
    """
    hits = y_t.argmax(axis=1) == batch.targets.argmax(axis=1)
    # Divide by the sum of the weights: rounded, 1/T for each step may be less than 1 in sum.
    return float(np.average(hits.mean(axis=1), weights=batch.weights))


def constant_loss(batch: Batch, loss: str) -> float:
    """Return the loss of the best constant prediction, which needs no look at the inputs.

    Parameters
    ----------
    loss : {"squared", "cross-entropy"}
    """
    mean = np.einsum("t,tpb->p", batch.weights, batch.targets) / batch.targets.shape[2]
    if loss == "squared":
        errors = np.square(batch.targets - mean[:, None]).sum(axis=1).mean(axis=1)
        return float(batch.weights @ errors)
    return float(-(mean * np.log(mean, where=mean > 0, out=np.zeros_like(mean))).sum())


def constant_accuracy(batch: Batch) -> float:
    """Return the accuracy of always answering the most frequent class.

    Parameters
    ----------
    batch : Batch
        Of a task with classes.
    """
    return float(np.einsum("t,tpb->p", batch.weights, batch.targets).max() / batch.targets.shape[2])


def readout_loss(readout: Readout, h_t: Array, batch: Batch, loss: str) -> ReadoutLoss:
    """Return the loss of hidden states, and its derivatives.

    Parameters
    ----------
    h_t : ndarray of shape (T, k, B)
        Of a trace over the inputs of the batch.
    loss : {"squared", "cross-entropy"}
    """
    # Steps at which nothing is asked are left out, which for some tasks are nearly all.
    asked = np.flatnonzero(batch.weights)
    h, targets, weights = h_t[asked], batch.targets[asked], batch.weights[asked] / h_t.shape[2]
    y = predict(readout, h)
    if loss == "squared":
        errors = y - targets
        losses, by_y = np.square(errors), 2 * errors
    else:
        y -= y.max(axis=1, keepdims=True)
        shares = np.exp(y)
        total = shares.sum(axis=1, keepdims=True)
        losses, by_y = targets * (np.log(total) - y), shares / total - targets
    by_y *= weights[:, None, None]
    dh = np.zeros(h_t.shape)
    dh[asked] = readout.W_y.T @ by_y
    by_W_y = (by_y @ h.transpose(0, 2, 1)).sum(axis=0)
    return ReadoutLoss(float(weights @ losses.sum(axis=(1, 2))), dh, Readout(by_W_y, by_y.sum(axis=(0, 2))[:, None]))
