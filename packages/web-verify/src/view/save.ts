/** Saves a report as a file: the browser writes it to the place that the reader chooses. Nothing leaves the machine. */

/** The last offered text: a browser may read it after the call. */
let offered = "";

/** Offers a text as a file. */
export function saveText(name: string, type: "application/json" | "text/html", text: string): void {
  URL.revokeObjectURL(offered);
  offered = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = offered;
  link.download = name;
  link.click();
}

/** Returns a file name for a report: letters, digits, dots and dashes alone. */
export function reportName(file: string, ending: "json" | "html"): string {
  const stem = file
    .replace(/\.(json|zip)$/i, "")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 80);
  return `${stem || "evidence"}.report.${ending}`;
}
