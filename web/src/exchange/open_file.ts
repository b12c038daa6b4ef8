// A file from outside opens here: a program, or a figure that carries one. It is dropped anywhere on the page or chosen
// by a button; what is neither gets one line and changes nothing.
import { byId, h } from "../dom";
import type { Opened } from "../engine";
import { type Labels, plain } from "../words/words";

export interface Opener {
  labels(): Labels;
  /** What the bytes are. */
  read(bytes: Uint8Array): Opened;
  program(code: string, name: string): void;
  /** The text of a figure's document. */
  figure(document: string, name: string): void;
  refuse(reason: string): void;
}

/** No picture is larger (max_picture_bytes), and no program. */
const mostBytes = 64 << 20;

export function openFiles(opener: Opener): void {
  const veil = byId("drop");
  const chooser = h("input", { type: "file", accept: ".py,.txt,.svg,.png,.pdf,.html" });
  const open = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
    const labels = opener.labels();
    if (file.size > mostBytes) return opener.refuse(labels.say("file_too_big", file.name));
    const bytes = await file.arrayBuffer().catch(() => null); // a folder, or gone
    if (!bytes) return opener.refuse(labels.say("file_unread", file.name));
    const found = opener.read(new Uint8Array(bytes));
    if ("refused" in found) opener.refuse(`${file.name}: ${plain(found.refused)}`);
    else if ("document" in found) opener.figure(found.document, file.name);
    else opener.program(found.code, file.name);
  };
  byId("open-file").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    void open(chooser.files?.[0]);
    chooser.value = ""; // the same file can be chosen again
  });

  // Before the editor, which would write a file's text into the program.
  const files = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  const listen = (type: "dragenter" | "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void): void =>
    addEventListener(
      type,
      (event) => {
        if (!files(event)) return;
        event.preventDefault();
        event.stopPropagation();
        act(event);
      },
      { capture: true },
    );
  listen("dragenter", () => (veil.hidden = false));
  listen("dragover", (event) => event.dataTransfer && (event.dataTransfer.dropEffect = "copy"));
  listen("dragleave", (event) => event.relatedTarget === null && (veil.hidden = true));
  listen("drop", (event) => {
    veil.hidden = true;
    void open(event.dataTransfer?.files[0]);
  });
}
