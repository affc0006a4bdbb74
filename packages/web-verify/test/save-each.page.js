/**
 * Runs in the page: opens one file after the other, from the row `first` on, and presses the button that saves its
 * report. Resolves to the content that the page offers the browser for each; null for a file that is no evidence.
 * Another test checks that a browser saves it.
 */
// biome-ignore lint/correctness/noUnusedVariables: the test hands this function to the page by its text.
async function saveEach(first) {
  const until = async (look) => {
    for (let found = look(); ; found = look()) {
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  const texts = [];
  const offer = URL.createObjectURL;
  const count = document.querySelectorAll("#files tbody tr").length;
  for (let at = first; at < count; at++) {
    const row = () => document.querySelector(`#files tr[data-file="${at}"]`);
    const button = row().querySelector("button");
    if (button === null) {
      if (!row().textContent.includes("no evidence")) throw new Error(`no report: ${row().textContent}`);
      texts.push(null);
      continue;
    }
    document.querySelector("#rest").replaceChildren();
    button.click();
    await until(() => document.querySelector(".saving") && row().querySelector("[aria-current=true]"));
    const offered = new Promise((resolve) => {
      URL.createObjectURL = (blob) => {
        resolve(blob);
        return offer(new Blob());
      };
    });
    [...document.querySelectorAll(".saving button")].find((one) => one.textContent === "Save it as JSON").click();
    texts.push(await (await offered).text());
  }
  URL.createObjectURL = offer;
  return texts;
}
