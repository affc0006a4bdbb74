/** The ways in: drop, choose, paste. Nobody reads folders; nothing of a file leaves the page. */
import type { SuppliedFile } from "../engine/messages.ts";
import { byId } from "./mount.ts";

/** Calls `take` with the reader's files, for each of the ways. */
export function takeFiles(take: (files: readonly SuppliedFile[]) => void): void {
  const given = (list: FileList | null | undefined, folders: ReadonlySet<string> = new Set()) => {
    const files = [...(list ?? [])].map((file) => ({ name: file.name, blob: file, isFolder: folders.has(file.name) }));
    if (files.length > 0) take(files);
  };
  const input = byId<HTMLInputElement>("file");
  input.addEventListener("change", () => {
    given(input.files);
    // The same file can be chosen again, after it was changed.
    input.value = "";
  });
  const zone = byId("drop");
  for (const type of ["dragenter", "dragover"]) {
    window.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  for (const type of ["dragleave", "dragend"]) window.addEventListener(type, () => zone.classList.remove("over"));
  // The listener covers the whole window: a file dropped beside the area would replace the page.
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    given(event.dataTransfer?.files, foldersIn(event.dataTransfer));
  });
  window.addEventListener("paste", (event) => {
    if (isField(event.target)) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if ((event.clipboardData?.files.length ?? 0) > 0) given(event.clipboardData?.files);
    else if (text !== "") take([pasted(text)]);
  });
  byId("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const area = byId<HTMLTextAreaElement>("paste");
    if (area.value.trim() !== "") take([pasted(area.value)]);
    area.value = "";
  });
}

/** Returns the names of the folders that were dropped: the drop lists each as if it were a file. */
function foldersIn(dropped: DataTransfer | null): Set<string> {
  const entries = [...(dropped?.items ?? [])].map((item) => item.webkitGetAsEntry());
  return new Set(entries.filter((entry) => entry?.isDirectory).map((entry) => entry?.name ?? ""));
}

function pasted(text: string): SuppliedFile {
  return { name: "pasted text", blob: new Blob([text]) };
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
