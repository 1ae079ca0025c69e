"""The cells, by their names. A new cell is one module, which says all that `Cell` asks for, and one line here."""

from core.cells import gru, lstm, rnn
from core.cells.protocol import Cell

CELLS: dict[str, Cell] = {"RNN": rnn, "LSTM": lstm, "GRU": gru}
