"""``surefoot minesweeper optimum``: how likely a small board is won by perfect play."""

from typing import TYPE_CHECKING, Annotated

import typer

from .minesweeper import JsonOption, cells_text, read_size
from .output import announce_kernels, grid, print_json, progress

if TYPE_CHECKING:
    from surefoot.minesweeper.optimum import Optimum


def optimum(
    size: Annotated[str, typer.Option(metavar="WxH", help="The board, such as 5x5.")],
    mines: Annotated[int, typer.Option(min=0, metavar="M", help="How many mines it holds.")],
    first_click: Annotated[
        str, typer.Option(metavar="any|safe|opening", help="What the first cell is sure to be.")
    ] = "safe",
    as_json: JsonOption = False,
) -> None:
    """Work out how likely a small board is won by perfect play, and which first cell is best."""
    from surefoot.minesweeper.optimum import first_cells
    from surefoot.minesweeper.optimum import optimum as work_out
    from surefoot.minesweeper.rules import read_first_click

    level = read_size(size, mines)
    promise = read_first_click(first_click)
    announce_kernels()
    with progress(len(first_cells(level)), f"{level}, {promise}") as bar:
        found = work_out(level, promise, on_cell=bar.advance)
    if as_json:
        print_json(
            {
                "size": size,
                "mines": mines,
                "first_click": promise,
                "optimum": found.value,
                "best": found.best,
                "values": found.values.tolist(),
                "wins": found.wins.tolist(),
                "layouts": found.layouts.tolist(),
            }
        )
    else:
        typer.echo(_told(found))


def _told(found: "Optimum") -> str:
    level = found.level
    most = found.best[0]
    return "\n".join(
        [
            grid([[f"{100 * value:.2f}" for value in row] for row in found.values.tolist()]),
            "",
            "% won by perfect play after this first cell",
            f"board    {level.width}x{level.height}, {level.mines} mines; first click: {found.first_click}",
            f"optimum  {found.value:.6f}: {found.wins[most]:,} of {found.layouts[most]:,} layouts",
            f"best     {cells_text(found.best)}",
        ]
    )
