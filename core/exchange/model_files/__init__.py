"""Recurrent layers from model files of PyTorch, Keras and ONNX, without a framework; nothing in a file is executed.

A reader looks at the header first. It checks each size that the file claims before it allocates memory, takes the recurrent
layers, and lists what it left out and why.
"""

import re
from pathlib import PurePath

from core.exchange.archives import expect_unique, open_archive, read_member
from core.exchange.model_files import hdf5, keras_layers, npz, onnx, pytorch_layers, safetensors
from core.exchange.model_files.contents import MOST_NAMES, NONE_FOUND, FileArray, ModelContents, with_embeddings
from core.exchange.model_files.embeddings import embeddings
from core.exchange.strict_json import read_json

MOST_BYTES = 200 * 2**20
MOST_CONFIG = 4 * 2**20
# The largest file of weights inside a .keras file.
MOST_WEIGHTS = 128 * 2**20
KINDS = (".safetensors", ".npz", ".h5", ".hdf5", ".keras", ".onnx")
PICKLES = (".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt", ".joblib")
# The numbers that Hugging Face and Keras write into the names of files of one model.
ONE_OF_SEVERAL = re.compile(r"-\d+-of-(?!0*1\.)\d+\.|_\d{5}\.weights\.h5$")
NONE_IN_PART = "The file is one of several of a model, and has no recurrent layer. Open the one with the layer, or save the model in one file."
PICKLED = (
    "A file of this kind is a pickle, which runs code when it is opened. In PyTorch, save the weights with "
    'safetensors.torch.save_file(model.state_dict(), "model.safetensors").'
)
NO_CONFIG = "The file config.json of the .keras file cannot be read. Save the model again with model.save."
NO_ATTRIBUTE = "The configuration of the model in the .h5 file cannot be read. Save it again with model.save."


def read_model(name: str, data: bytes) -> ModelContents:
    """Return the recurrent layers of a model file.

    Parameters
    ----------
    name : str
        The name of the file, whose ending says what it is.
    data : bytes

    Raises
    ------
    ValueError
        Saying in one sentence why the file cannot be taken.
    """
    if not ONE_OF_SEVERAL.search(name.lower()):
        return _read(name, data)
    try:
        contents = _read(name, data)
    except ValueError as error:
        if str(error) != NONE_FOUND:
            raise
        raise ValueError(NONE_IN_PART) from None
    return contents._replace(assumed=[*contents.assumed, "one of several files"])


def _read(name: str, data: bytes) -> ModelContents:
    """Return the recurrent layers of a file, whether or not it is one of several."""
    suffix = PurePath(name).suffix.lower()
    if suffix in PICKLES:
        raise ValueError(PICKLED)
    if len(data) > MOST_BYTES:
        raise ValueError(f"The file has {len(data) / 2**20:.1f} MB. Open one of at most {MOST_BYTES // 2**20} MB.")
    if suffix == ".onnx":
        return onnx.read(data)
    if suffix == ".keras":
        return _keras(data)
    if suffix in (".h5", ".hdf5"):
        return _hdf5(data)
    if suffix == ".safetensors":
        return _by_names(safetensors.tensors(data))
    if suffix == ".npz":
        return _by_names(npz.tensors(data))
    raise ValueError(
        f"The file is of no known kind. Choose a file that ends in {', '.join(KINDS[:-1])} or {KINDS[-1]}."
    )


def _keras(data: bytes) -> ModelContents:
    archive = open_archive(data, MOST_NAMES)
    names = archive.namelist()
    expect_unique(names)
    if not {"config.json", "model.weights.h5"} <= set(names):
        raise ValueError("The .keras file must hold config.json and model.weights.h5. Save it with model.save.")
    config = read_json(read_member(archive, archive.getinfo("config.json"), MOST_CONFIG), NO_CONFIG)
    weights = read_member(archive, archive.getinfo("model.weights.h5"), MOST_WEIGHTS)
    tensors, _ = hdf5.tensors(weights)
    return with_embeddings(keras_layers.read(tensors, config), embeddings(tensors))


def _hdf5(data: bytes) -> ModelContents:
    tensors, config = hdf5.tensors(data)
    if not config:
        return _by_names(tensors)
    if len(config) > MOST_CONFIG:
        raise ValueError(NO_ATTRIBUTE)
    return with_embeddings(keras_layers.read(tensors, read_json(config, NO_ATTRIBUTE)), embeddings(tensors))


def _by_names(tensors: dict[str, FileArray]) -> ModelContents:
    """Return the recurrent layers by the names that they have in PyTorch or in Keras."""
    is_keras = keras_layers.has_names(tensors) and not pytorch_layers.has_names(tensors)
    contents = keras_layers.read(tensors) if is_keras else pytorch_layers.read(tensors)
    return with_embeddings(contents, embeddings(tensors))


__all__ = ["KINDS", "MOST_BYTES", "ModelContents", "read_model"]
