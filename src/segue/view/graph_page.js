// A motion graph: a click on a link plays its transition in a frame with the viewer.
(() => {
  "use strict";
  const given = JSON.parse(document.getElementById("contents").textContent);
  const player = document.getElementById("player"), words = document.getElementById("words");
  const links = [...document.querySelectorAll(".link")];

  /** Play the transition of a link. */
  function choose(link) {
    const { title, words: said, contents } = given.transitions[Number(link.dataset.link)];
    for (const each of links) each.classList.toggle("chosen", each === link);
    words.textContent = said;
    player.title = title;
    // a function as the replacement: "$" in the contents has no meaning
    const shown = JSON.stringify(contents).replaceAll("<", "\\u003c");
    player.srcdoc = given.viewer.replace("SEGUE_CONTENTS", () => shown);
  }

  for (const link of links) {
    link.addEventListener("click", () => choose(link));
    link.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(link);
    });
  }
})();
