// Where the next territory lies in a direction: how arrow keys walk over a map that is no grid.

export const DIRECTIONS = Object.freeze({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/** How much worse a step sideways is than one straight ahead. */
const SIDEWAYS = 2.2;

/**
 * The place to go to from `places[from]` in a direction `[dx, dy]`: near and straight ahead; null at the edge.
 */
export function step(places, from, [dx, dy]) {
  const [x, y] = places[from];
  let best = null;
  let least = Infinity;
  places.forEach(([placeX, placeY], place) => {
    const ahead = (placeX - x) * dx + (placeY - y) * dy;
    const aside = Math.abs((placeX - x) * dy) + Math.abs((placeY - y) * dx);
    if (place === from || ahead <= 0 || aside > 2 * ahead) return;
    const far = ahead + SIDEWAYS * aside;
    if (far < least) [best, least] = [place, far];
  });
  return best;
}
