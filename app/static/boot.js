// Runs before the first paint: the stored theme, and a plain word where WebAssembly is missing. Everything else is the application's.
(function () {
  try {
    var theme = localStorage.getItem("kemscope-theme");
    if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
  } catch (_) {
    // Storage can be forbidden; the system's theme is then used.
  }
  function say(text) {
    var place = document.getElementById("boot-text");
    if (place) {
      place.textContent = text;
      place.setAttribute("role", "alert");
    }
  }
  if (typeof WebAssembly !== "object") {
    document.addEventListener("DOMContentLoaded", function () {
      say("This browser does not run WebAssembly, which KEMscope needs. Any current Firefox, Chrome, Edge or Safari does.");
    });
    return;
  }
  function failed() {
    say("The dashboard could not be started: a file did not arrive or is damaged. Check the connection and reload the page.");
  }
  window.addEventListener("unhandledrejection", failed);
  window.addEventListener("error", failed, true);
})();
