// Keys of the playground and of a figure, wherever nothing is being typed: the read head's and those that walk the lines;
// in the playground undo and zoom, too.

export interface Keys {
  undo?(): void;
  redo?(): void;
  /** Chooses a line before (-1) or after (1) the chosen one. */
  line(by: -1 | 1): void;
  /** Makes cells smaller (-1) or larger (1), or as large as fits best (0). */
  zoom?(by: -1 | 0 | 1): void;
  /** Takes a key meant for the read head. @returns whether it was one */
  head(key: string): boolean;
}

export function listen(on: Document | HTMLElement, keys: Keys): void {
  const take = (event: KeyboardEvent): void => {
    const at = event.composedPath()[0];
    if (
      event.defaultPrevented ||
      (at instanceof HTMLElement && at.closest("textarea, input, select, dialog, [popover], [contenteditable=true]"))
    )
      return;
    const undo = event.shiftKey ? keys.redo : keys.undo;
    if (undo && (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z") {
      event.preventDefault();
      undo();
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && at instanceof HTMLElement && at.closest("button")) return;
    const zoom = ({ "-": -1, "0": 0, "+": 1, "=": 1 } as const)[event.key];
    if (zoom !== undefined && keys.zoom) keys.zoom(zoom);
    else if (event.key === "ArrowUp") keys.line(-1);
    else if (event.key === "ArrowDown") keys.line(1);
    else if (!keys.head(event.key)) return;
    event.preventDefault();
  };
  on.addEventListener("keydown", take as EventListener);
}
