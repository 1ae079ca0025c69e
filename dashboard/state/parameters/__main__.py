"""Print the table of docs/parameters.md: `python -m dashboard.state.parameters`."""

from dashboard.state.parameters import table

if __name__ == "__main__":
    print(table())
