// Before anything is painted: light or dark, if the user has said which. A plain script, for modules come later.
"use strict";
(() => {
  try {
    const chosen = JSON.parse(localStorage.getItem("surefoot.theme"));
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // No storage, or not ours: as the system has it.
  }
})();
