// Asking again and again, as long as somebody looks.

const SOON = 1000;
const LATER = 5000;

/**
 * Call `ask` now and then: `ask` resolves to whether something is going on, which is looked at every second, or
 * else every few seconds. Nothing is asked while the page is hidden. Returns {now, close}.
 */
export function poll(ask) {
  let timer = 0;
  let asking = false;
  let closed = false;

  async function turn() {
    clearTimeout(timer);
    if (closed || asking || document.hidden) return;
    asking = true;
    let moving = false;
    try {
      moving = await ask();
    } finally {
      asking = false;
      if (!closed) timer = setTimeout(turn, moving ? SOON : LATER);
    }
  }

  document.addEventListener("visibilitychange", turn);
  turn();
  return {
    now: turn,
    close() {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", turn);
    },
  };
}
