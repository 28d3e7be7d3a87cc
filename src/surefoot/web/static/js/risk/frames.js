// A replay's frames: how everything stood at each, worked out from what each one changed.

/** So many frames lie between those that are kept whole. */
const APART = 100;

/** `frames` are those of `/api/risk/replay`, `territories` how many there are. */
export function timeline(frames, territories) {
  const whole = [{ owners: Array(territories).fill(-1), armies: Array(territories).fill(0) }];

  function advance({ owners, armies }, { changed }) {
    const next = { owners: [...owners], armies: [...armies] };
    for (const [place, owner] of changed.owners) next.owners[place] = owner;
    for (const [place, number] of changed.armies) next.armies[place] = number;
    return next;
  }

  /** The owners and armies after frame `number`. */
  function at(number) {
    let block = Math.min(Math.floor(number / APART), whole.length - 1);
    let state = whole[block];
    for (let next = block * APART; next <= number; next++) {
      if (next === (block + 1) * APART) whole[++block] = state;
      state = advance(state, frames[next]);
    }
    return state;
  }

  return { at };
}

/** Which of `count` frames to look at first: the ends, then halves, quarters and so on, `most` at the most. */
export function spread(count, most) {
  if (count <= 0) return [];
  const order = [...new Set([0, count - 1])];
  const seen = new Set(order);
  for (let parts = 2; order.length < Math.min(most, count) && parts < 4 * count; parts *= 2) {
    for (let part = 1; part < parts; part += 2) {
      const place = Math.round(((count - 1) * part) / parts);
      if (!seen.has(place) && order.length < most) {
        seen.add(place);
        order.push(place);
      }
    }
  }
  return order;
}
