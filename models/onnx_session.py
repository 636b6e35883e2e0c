"""Opens ONNX networks the same way everywhere: on the CPU, quiet, with few threads. Runs in the child."""

from typing import Any

import onnxruntime as ort

from core.errors import ModelUnreadableError
from models.machine import inference_threads


def open_session(model_id: str, network: str | bytes) -> Any:  # onnxruntime has no types
    """Load a network from its path or from its bytes.

    Raises:
        ModelUnreadableError: the runtime refuses the file.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = inference_threads()
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads would burn a core between two pictures.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(network, sess_options=options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelUnreadableError(
            f"The network of {model_id} cannot be loaded: {error}.",
            f"Check it with: madeleine models check; fetch it again with: madeleine models get {model_id}",
        ) from error
