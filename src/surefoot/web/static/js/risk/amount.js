// How many armies: a slider with the figure beside it.

import { h } from "../dom.js";

/** `onchange()` is called when the reader moves it. */
export function amount(label, onchange) {
  const range = h("input", { type: "range", "aria-label": label, oninput: shown });
  const figure = h("output", { class: "amount-figure tabular" });
  let key = null;

  function shown() {
    figure.textContent = `${range.value} of ${range.max}`;
    onchange?.();
  }

  return {
    element: h("div", { class: "amount" }, range, figure),
    /** Limits; for a new `about` the slider goes to the most, for the same it stays. */
    limit: (least, most, about) => {
      const value = about === key ? Math.min(Number(range.value), most) : most;
      key = about;
      Object.assign(range, { min: least, max: most });
      range.value = Math.max(value, least);
      range.disabled = least === most;
      figure.textContent = `${range.value} of ${most}`;
    },
    value: () => Number(range.value),
  };
}
