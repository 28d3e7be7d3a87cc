// Files that are dropped on a page.

/** Files dropped anywhere on an element are read as text; returns how to stop that. */
export function acceptFiles(element, ontext) {
  const over = (event) => {
    if ([...event.dataTransfer.types].includes("Files")) event.preventDefault();
  };
  const drop = async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    ontext(await file.text());
  };
  element.addEventListener("dragover", over);
  element.addEventListener("drop", drop);
  return () => {
    element.removeEventListener("dragover", over);
    element.removeEventListener("drop", drop);
  };
}
