// The arena: its runs, or one of them.

import { listPage } from "./list.js";
import { runPage } from "./run.js";

export function mount(root, context) {
  return context.params.run ? runPage(root, context) : listPage(root, context);
}
