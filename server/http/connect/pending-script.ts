import { createHash } from "node:crypto";

/**
 * The only script of the connect page. While the provider is asked, it says so on the button and to screen readers, and
 * stops a second submit. A page that the browser shows again from its history is as before.
 */
export const pendingScript = `(function () {
  var form = document.querySelector("form");
  var button = form.querySelector("button");
  var status = document.getElementById("pending");
  var label = button.textContent;
  function show(isPending) {
    button.disabled = isPending;
    button.textContent = isPending ? button.dataset.pending : label;
    status.textContent = isPending ? button.dataset.pending : "";
  }
  form.addEventListener("submit", function () { show(true); });
  addEventListener("pageshow", function (event) { if (event.persisted) show(false); });
})();`;

/** The digest by which a page's policy allows the script. */
export const pendingDigest = createHash("sha256").update(pendingScript).digest("base64");
