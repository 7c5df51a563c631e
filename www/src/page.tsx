import { render } from "preact";

import { App } from "./app.js";
import { hashOf, parseAddress } from "./frame/address.js";
import { askedSession } from "./frame/asked-session.js";
import { allowOnly } from "./frame/connections.js";

const page = document.getElementById("page")!;
const asked = askedSession();
const { protocol, search, hash } = location;
if (!IS_ONE_FILE && protocol === "file:") {
  // From the file system nothing can be loaded, so there the page that is one file is shown.
  location.replace(`offline.html${hash}`);
} else if (asked && !IS_ONE_FILE && page.dataset["opens"] === undefined) {
  location.replace(`open.html${search}${hashOf({ ...parseAddress(hash), sample: "own" })}`);
} else {
  if (page.dataset["opens"] !== undefined) allowOnly(`'self' ${asked?.origin ?? ""}`);
  page.className = "";
  page.removeAttribute("lang");
  render(<App />, page);
}
